// What every page does at once where scripts run: it keeps its place when the language is switched, closes what was told,
// knows two keys, holds still under a finger, and says so where the server does not answer.
const PLACE = "place", OFF = "shortcuts-off";
// Words are longer in one language than in the other, so the place is where something with a name stands.
const shown = () => [...document.querySelectorAll("main [id]")].find((one) => one.getBoundingClientRect().bottom > 0 && one.checkVisibility() && one.getBoundingClientRect().height < window.innerHeight);
const form = document.getElementById("language");
form?.addEventListener("submit", () => {
  const one = shown();
  if (form.next) form.next.value += location.hash;
  sessionStorage.setItem(PLACE, JSON.stringify({ path: location.pathname, y: window.scrollY, id: one?.id, top: one?.getBoundingClientRect().top }));
});
const { path, y, id, top } = JSON.parse(sessionStorage.getItem(PLACE) ?? "{}");
sessionStorage.removeItem(PLACE);
if (path === location.pathname) {
  const one = document.getElementById(id);
  if (y) window.scrollTo({ top: one ? window.scrollY + one.getBoundingClientRect().top - top : y, behavior: "instant" });
  form?.querySelector("[aria-current]")?.focus({ preventScroll: true });
}
document.addEventListener("click", ({ target }) => {
  if (!target.closest(".note > .dismiss")) return;
  target.closest(".note").remove();
  document.getElementById("main").focus({ preventScroll: true });
});
// What htmx asked for and nobody answered would be nothing at all; of what is typed in the builder that speaks for itself.
const away = document.getElementById("away");
let lost = false;
for (const name of ["sendError", "timeout", "responseError"]) {
  document.addEventListener(`htmx:${name}`, ({ detail }) => {
    const pressed = detail.elt.id !== "step" || detail.requestConfig.triggeringEvent?.submitter?.name;
    if (!pressed || (detail.xhr.status > 0 && detail.xhr.status < 500)) return;
    lost ||= asked(detail.requestConfig);
    away?.showPopover();
  });
}
// What a page asks for by itself is no press: neither is it told that it was refused, nor does it end what is told.
const asked = ({ verb, triggeringEvent }) => verb === "post" || /^(click|input|change|submit|toggle)$/.test(triggeringEvent?.type);
document.addEventListener("htmx:beforeOnLoad", ({ detail }) => {
  if (detail.xhr.status < 500 && (!lost || asked(detail.requestConfig))) {
    lost = false;
    away?.hidePopover();
  }
  if (detail.xhr.status < 400 && asked(detail.requestConfig)) refused?.hidePopover();
});
// What is refused says so itself, in the words of the page that says it without scripts; whoever is signed out signs in
// beside this page, in which all that was typed stays.
const refused = document.getElementById("refused");
document.addEventListener("htmx:responseError", ({ detail: { xhr, requestConfig } }) => {
  if (!refused || !asked(requestConfig) || xhr.status >= 500) return;
  const page = new DOMParser().parseFromString(xhr.responseText, "text/html");
  const said = [...page.querySelectorAll("main h1, main .lead")].map((one) => one.textContent.trim());
  if (said.length) tell(said.join(". "), page.querySelector("main a[target=_blank]"));
});
const tell = (words, signIn) => {
  refused.querySelector("span").textContent = words;
  refused.querySelector("a").hidden = !signIn;
  refused.showPopover();
};
// A page that watches what others do hears that it is there no longer. It says so itself when it is loaded anew, but
// whoever was signed out meanwhile signs in beside it, and nothing that was typed goes with it.
document.addEventListener("gone", ({ detail: xhr }) => {
  const signedOut = xhr.getResponseHeader("X-Signed-Out") && document.querySelector(".user-menu form");
  const typed = [...document.querySelectorAll("main :is(textarea, input:not([type=hidden], [type=checkbox], [type=radio]))")].some(
    (one) => one.form?.method === "post" && one.value !== one.defaultValue);
  if (signedOut || typed) tell(signedOut ? refused.dataset.signedOut : refused.dataset.gone, signedOut);
  else location.reload();
});
// What was asked for, by the page or by a press before, is not drawn between pressing a button and letting it go: it would
// be another by then, or stand elsewhere, and the press be lost.
const late = [];
let down = false;
// Once what the button does is under way: a task of its own, and no timer, which a browser may hold back.
const { port1, port2 } = new MessageChannel();
const release = () => port2.postMessage("");
port1.onmessage = () => {
  down = false;
  for (const [xhr, onload] of late.splice(0)) {
    xhr.late = false;
    onload();
  }
  document.dispatchEvent(new Event("drawn"));
};
document.addEventListener("pointerdown", ({ isPrimary, button }) => { down ||= isPrimary && !button; }, true);
for (const name of ["pointerup", "pointercancel", "blur"]) window.addEventListener(name, release);
document.addEventListener("draw", (event) => { if (down) event.preventDefault(); });
// Whoever has signed in or out in another tab has another token by now: what is refused for that is sent once more with
// it, and the page goes on with it.
const renewed = (token) => {
  document.body.setAttribute("hx-headers", JSON.stringify({ "X-CSRFToken": token }));
  for (const field of document.querySelectorAll("[name=csrfmiddlewaretoken]")) field.value = token;
};
const sentAgain = new WeakSet();
const sendAgain = (xhr, { verb, path, headers, formData }) => {
  const token = xhr.status === 403 && xhr.getResponseHeader("X-CSRFToken");
  if (!token || sentAgain.has(xhr)) return false;
  sentAgain.add(xhr);
  renewed(token);
  const { timeout } = xhr, body = new URLSearchParams(formData);
  if (body.has("csrfmiddlewaretoken")) body.set("csrfmiddlewaretoken", token);
  xhr.open(verb.toUpperCase(), path, true);
  xhr.timeout = timeout;
  for (const [name, value] of Object.entries({ ...headers, "X-CSRFToken": token })) if (value !== null) xhr.setRequestHeader(name, value);
  xhr.send(body);
  return true;
};
document.addEventListener("htmx:beforeSend", ({ detail: { xhr, requestConfig } }) => {
  const { onload } = xhr;
  xhr.onload = () => {
    if (sendAgain(xhr, requestConfig)) return;
    xhr.late = down;
    if (down) late.push([xhr, onload]);
    else onload();
  };
});
// What a browser shows again when one goes back is as old as it was when one left: the page asks what is new first.
window.addEventListener("pageshow", ({ persisted }) => {
  if (!persisted && performance.getEntriesByType("navigation")[0]?.type !== "back_forward") return;
  for (const name of ["restored", "news"]) document.dispatchEvent(new Event(name));
});
const on = document.getElementById("shortcuts-on");
if (on) {
  on.checked = !localStorage.getItem(OFF);
  on.addEventListener("change", () => (on.checked ? localStorage.removeItem(OFF) : localStorage.setItem(OFF, "1")));
}
document.addEventListener("keydown", (event) => {
  if (!on?.checked || event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea, [contenteditable]")) return;
  const search = document.querySelector("main input[type=search]");
  if (event.key === "?") document.getElementById("shortcuts").togglePopover();
  else if (event.key === "/" && search) search.focus();
  else return;
  event.preventDefault();
});
