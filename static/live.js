// Pages that are changed elsewhere hear at once that there is news, by its word, and ask for it where that is another
// than theirs, as they do by themselves now and then.
"use strict";
(() => {
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
    source = new EventSource(`${watched.dataset.live}?since=${encodeURIComponent(watched.dataset.word ?? "")}`);
    source.addEventListener("open", () => {
      heard = dataset.live = true;
      pause = 1000;
    });
    source.addEventListener("message", news);
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
})();
