// Pages that are changed elsewhere hear at once that there is news: by the pieces of the page that are otherwise, or by its
// word, and ask for it where that is another than theirs, as they do by themselves now and then.
const { dataset } = document.documentElement;
const news = (event) => document.dispatchEvent(new CustomEvent("news", { detail: event?.data }));
let source, again, pause = 1000;
const open = () => {
  clearTimeout(again);
  source?.close();
  delete dataset.live;
  // A browser has few connections: a page that nobody looks at gives its own back, and looks when it is looked at.
  const watched = document.querySelector("[data-live]");
  if (!watched || document.hidden) return;
  let heard = false;
  const asks = new URLSearchParams({ since: watched.dataset.word ?? "", language: document.documentElement.lang });
  source = new EventSource(`${watched.dataset.live}?${asks}`);
  source.addEventListener("open", () => {
    heard = dataset.live = true;
    pause = 1000;
  });
  source.addEventListener("message", news);
  source.addEventListener("pieces", ({ data }) => document.dispatchEvent(new CustomEvent("pieces", { detail: JSON.parse(data) })));
  source.addEventListener("error", () => {
    delete dataset.live;
    // A stream that was cut off is asked for anew by the browser; one that was refused is not.
    if (source.readyState !== EventSource.CLOSED) return;
    if (heard) news();
    again = setTimeout(open, pause * (1 + Math.random()));
    pause = Math.min(2 * pause, 60_000);
  });
};
document.addEventListener("visibilitychange", open);
open();
