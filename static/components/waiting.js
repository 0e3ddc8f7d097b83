// What takes a while says so at the link or the button that was pressed, as soon as it is asked for, and that it is there: a page
// is there by itself; of a file, which may leave the page where it is, a cookie tells that the page has named
// (sheets/export/download_cookie.py). Nothing moves, so that the next press meets what it was meant for, and each keeps its tick.
const every = 250, most = 120_000, timers = new Map();
const told = document.createElement("p");
told.className = "hidden";
told.role = "status";
document.body.append(told);
const say = (text) => { told.textContent = text; };
const begin = (pressed) => {
  clearTimeout(timers.get(pressed));
  pressed.dataset.state = "waits";
  say(pressed.dataset.waits);
};
const over = (pressed) => {
  clearTimeout(timers.get(pressed));
  delete pressed.dataset.state;
};
const watch = (pressed, token, until) => {
  if (document.cookie.split("; ").includes(`there=${token}`)) {
    pressed.dataset.state = "there";
    say(pressed.dataset.there);
  } else if (Date.now() < until) timers.set(pressed, setTimeout(watch, every, pressed, token, until));
  else over(pressed);
};
const fetched = (pressed, address) => {
  const token = `${Date.now()}-${Math.random().toString(36).slice(2)}`;
  address.searchParams.set("wait", token);
  begin(pressed);
  watch(pressed, token, Date.now() + most);
  location.assign(address);
};
document.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-waits]");
  if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  fetched(link, new URL(link.href));
});
document.addEventListener("submit", (event) => {
  const { submitter, target } = event;
  if (!submitter?.dataset.waits) return;
  if (!submitter.dataset.there) { begin(submitter); return; }
  event.preventDefault();
  fetched(submitter, new URL(`?${new URLSearchParams(new FormData(target))}`, target.action));
});
// Who comes back to a page that a press has left finds nothing that waits; what was fetched meanwhile has its tick.
window.addEventListener("pageshow", ({ persisted }) => {
  if (persisted) for (const one of document.querySelectorAll('[data-state="waits"]:not([data-there])')) over(one);
});
