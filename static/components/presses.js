// One press at a time: what is pressed while another is under way goes once that is answered, as it was filled in. htmx
// looks for the places of an answer around the element that asked: where that is no longer in the page it finds none. So
// odds that were asked for before a press are no answer to the page after it, and are asked for anew.
import { fresh } from "./once.js";

const waiting = [], odds = "#against, .unfolded";
let press, by, made = 0, late = false, sending = false;
// What was answered while a button is held down is drawn late (frame.js).
const goesOn = () => press?.readyState % 4 > 0 || press?.late;
const underWay = () => waiting.length > 0 || goesOn();
const send = (verb, path, source, values) => {
  sending = true;
  // What goes wrong is told by events, too.
  htmx.ajax(verb, path, { source, values }).catch(() => {});
  sending = false;
};
const again = (one) => send("get", one.getAttribute("hx-get"), one);
const unfolded = () => {
  for (const one of document.querySelectorAll(".roll-row:has(.fold[open]) .unfolded[hx-get]")) again(one);
};
// What stands now where an element stood.
const there = (elt) => {
  let one = elt;
  while (!one.isConnected) {
    const now = one.id && document.getElementById(one.id);
    if (now) return now;
    one = one.parentElement ?? document.getElementById("main");
  }
  return one;
};
const next = () => {
  if (goesOn()) return;
  const one = waiting.shift();
  if (one) {
    const source = there(one.elt);
    send("post", one.path, source, one.values);
  } else if (late) {
    late = false;
    const against = document.getElementById("against");
    if (against) again(against);
    else unfolded();
  }
};
document.addEventListener("htmx:confirm", (event) => {
  const { elt, path, verb, triggeringEvent } = event.detail;
  // The one that is under way itself, pressed twice, is dropped or comes next as its form says.
  if (verb !== "post" || sending || !underWay() || (elt === by && !waiting.length) || !elt.matches("form")) return;
  event.preventDefault();
  const twice = elt === by || waiting.some((one) => one.elt === elt);
  if (twice && elt.getAttribute("hx-sync") === "this:drop") return;
  waiting.push({ elt, path, values: new FormData(elt, triggeringEvent?.submitter) });
});
// Where dice are thrown by hand a press leads to a page that asks for their faces, so htmx does not send it.
document.addEventListener("submit", (event) => {
  const { target, submitter } = event;
  if (!document.getElementById("by-hand") || !target.elements.w || submitter?.name === "do") return;
  event.stopPropagation();
  const url = new URL(target.action);
  url.searchParams.set("_hand", "1");
  target.action = url;
}, true);
// The roller's part of what is signed for a roll (docs/receipts.md): 16 random bytes in base64url.
const nonce = () => btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(16))))
  .replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
// A press has a key of its own, made as it is pressed: the one in a page that was kept, or restored, may be spent. What
// nobody answered may have been done all the same, so that it is sent once more with the same key.
document.addEventListener("htmx:configRequest", ({ detail: { elt, verb, parameters } }) => {
  if (verb !== "post" || !parameters._press) return;
  elt.dataset.sent ??= fresh();
  parameters._press = elt.dataset.sent;
  parameters._nonce = elt.dataset.nonce ??= nonce();
  // The last roll that the page knows of, by which the server sees that it was put back since (409).
  const known = document.getElementById("known-roll")?.value;
  if (known) parameters._known_roll = known;
});
document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  if (detail.xhr.status !== 409 || detail.requestConfig.verb !== "post") return;
  [detail.shouldSwap, detail.isError] = [true, false];
}, true);
document.addEventListener("htmx:beforeOnLoad", ({ detail: { requestConfig, xhr } }) => {
  if (xhr.status >= 500) return;
  delete requestConfig.elt.dataset.sent;
  delete requestConfig.elt.dataset.nonce;
});
document.addEventListener("htmx:beforeRequest", (event) => {
  const { elt, xhr, requestConfig } = event.detail, asksOdds = elt.matches(odds);
  if (requestConfig.verb === "post") {
    [press, by] = [xhr, elt];
    made += 1;
    xhr.addEventListener("loadend", next);
    return;
  }
  if (asksOdds && underWay()) {
    late = true;
    event.preventDefault();
    return;
  }
  if (elt.id === "against") late = false;
  const before = made;
  // It is heard at the element itself, from where nothing reaches the page once it has left it.
  elt.addEventListener("htmx:beforeOnLoad", (answer) => {
    if (answer.detail.xhr !== xhr || (elt.isConnected && (!asksOdds || before === made))) return;
    answer.preventDefault();
    if (asksOdds) late = true;
    else document.dispatchEvent(new Event("news"));
  }, { once: true });
  if (asksOdds) xhr.addEventListener("loadend", next);
});
document.addEventListener("drawn", next);
document.addEventListener("look", (event) => { if (underWay()) event.preventDefault(); });
// What is written there last counts, whatever becomes of the form before it asks.
document.addEventListener("input", ({ target }) => { if (target.form?.id === "against") late = true; });
// What was written there before scripts were ready is asked for once they are.
const written = (one) => (one.matches("select") ? one.querySelector("[selected]") && [...one.options].some(
  (option) => option.selected !== option.defaultSelected) : one.matches("input") && one.value !== one.defaultValue);
document.addEventListener("DOMContentLoaded", () => {
  const against = document.querySelector("#against[hx-get]");
  if (against && [...against.elements].some(written)) again(against);
});
// What is aimed at counts in the odds that stand open, too.
document.addEventListener("htmx:afterRequest", ({ target }) => { if (target.id === "against" && !late) unfolded(); });
