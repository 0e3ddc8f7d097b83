// What takes a while says so as soon as it is asked for, and that it is there: a page is there by itself; of a file, which
// may leave the page where it is, a cookie tells that the page has named (sheets/export/awaited.py).
const every = 250, most = 120_000;
let note, timer;
const say = (text) => { note.firstElementChild.textContent = text; };
const over = () => {
  clearTimeout(timer);
  note?.remove();
  note = undefined;
};
const begin = (pressed) => {
  over();
  note = document.createElement("div");
  note.className = "note waits";
  note.role = "status";
  note.append(document.createElement("p"));
  (pressed.closest(".actions") ?? pressed).after(note);
  // What is there before it says anything is read aloud.
  setTimeout(() => { if (note) say(pressed.dataset.waits); });
};
const watch = (token, there, until) => {
  if (document.cookie.split("; ").includes(`there=${token}`)) {
    say(there);
    note.classList.replace("waits", "good");
  } else if (Date.now() < until) timer = setTimeout(watch, every, token, there, until);
  else over();
};
document.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-waits]");
  if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  const token = `${Date.now()}-${Math.random().toString(36).slice(2)}`, address = new URL(link.href);
  address.searchParams.set("wait", token);
  begin(link);
  watch(token, link.dataset.there, Date.now() + most);
  location.assign(address);
});
document.addEventListener("submit", ({ submitter }) => { if (submitter?.dataset.waits) begin(submitter); });
// Who comes back finds the page as it was left.
window.addEventListener("pageshow", ({ persisted }) => { if (persisted) over(); });
