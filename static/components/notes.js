// Notes save themselves while one writes; the button is there without scripts, and for whoever wants to be sure. Where they
// were changed elsewhere meanwhile both texts stand there, and nothing more is saved before somebody presses the button.
const PAUSE = 600, AGAIN = 5000, plans = new Map(), sent = new WeakMap();
const text = (form) => form.querySelector("textarea[name]");
const unsaved = (form) => form.isConnected && form.elements._was.value !== text(form).value;
const stuck = (form) => Boolean(form.querySelector(".overtaken"));
const say = (form, words) => {
  const said = form.querySelector(".notes-state .done");
  if (said && said.textContent !== words) said.textContent = words;
};
const plan = (form, pause) => {
  clearTimeout(plans.get(form));
  plans.set(form, setTimeout(save, pause, form));
};
const save = (form) => {
  clearTimeout(plans.get(form));
  if (window.htmx && unsaved(form) && !stuck(form)) htmx.trigger(form, "save");
};
const all = () => [...document.querySelectorAll("form[data-notes]")];
const typed = (form) => {
  say(form, form.dataset.unsaved);
  plan(form, PAUSE);
};
document.addEventListener("input", ({ target }) => { if (target.form?.matches("[data-notes]")) typed(target.form); });
document.addEventListener("htmx:beforeRequest", ({ target }) => {
  if (!target.matches("[data-notes]")) return;
  clearTimeout(plans.get(target));
  sent.set(target, text(target).value);
});
document.addEventListener("htmx:afterRequest", ({ target, detail }) => {
  if (!target.matches("[data-notes]")) return;
  if (!detail.successful) {
    say(target, target.dataset.failed);
    plan(target, AGAIN);
  } else if (text(target).value !== sent.get(target)) typed(target);
});
window.addEventListener("online", () => all().forEach(save));
document.addEventListener("visibilitychange", () => { if (document.hidden) all().forEach(save); });
// Who leaves the page before is saved on the way; what cannot be is asked about.
window.addEventListener("beforeunload", (event) => { if (all().some((form) => unsaved(form) && stuck(form))) event.preventDefault(); });
window.addEventListener("pagehide", () => {
  for (const form of all()) {
    if (!unsaved(form) || stuck(form)) continue;
    navigator.sendBeacon(form.action, new URLSearchParams(new FormData(form)));
    form.elements._was.value = text(form).value;
  }
});
