// What the sheet does at once where scripts run: figures stepped, what is open closed, the focus kept, the tray put away.
import { hold, letGo } from "../components/hold.js";
import { number } from "../components/numbers.js";

const step = (input, by) => {
  const value = number(input.value) + by;
  if (value < Number(input.dataset.low || -Infinity)) return;
  input.value = value;
  input.dispatchEvent(new Event("input", { bubbles: true }));
};
const narrow = window.matchMedia("(max-width: 46rem)");
const putAway = () => {
  const tray = document.querySelector(".desk .tray:not(.empty)")?.classList;
  if (tray?.contains("fresh")) tray.replace("fresh", "away");
  else tray?.add("left");
};
document.addEventListener("click", (event) => {
  const button = event.target.closest(".against .stepper button");
  if (button) {
    const input = button.parentElement.querySelector("input");
    if (!/^\s*[+-]?\d*\s*$/.test(input.value)) return;
    event.preventDefault();
    step(input, button.name === "more" ? 1 : -1);
  }
  if (event.target.closest(".tray-dismiss")) {
    event.preventDefault();
    putAway();
  } else if (narrow.matches) {
    // What lies small at the edge is shown whole.
    const small = event.target.closest(".desk > .aside .tray:not(.fresh)");
    if (small && !event.target.closest("button") && getComputedStyle(small).position === "fixed") small.classList.add("fresh");
  }
  if (narrow.matches && event.target.closest(".desk :is(summary, .tabs a)") && !event.target.closest(".tray")) putAway();
  // What opens over the page closes when something else is pressed.
  for (const open of document.querySelectorAll(":is(.more, .standing, .about, .act:not(.card) > .odds-fold)[open]")) {
    if (!open.contains(event.target)) open.open = false;
  }
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  const open = document.activeElement?.closest("details[open]") ?? document.querySelector(":is(.more, .about)[open]");
  if (open) {
    open.open = false;
    open.querySelector("summary").focus();
  } else putAway();
});
// On a phone what fell lies over the page: whoever moves on has seen it.
for (const kind of ["touchmove", "wheel"]) {
  document.addEventListener(kind, (event) => {
    if (narrow.matches && !event.target.closest(".tray")) putAway();
  }, { passive: true });
}
// A press moves nothing under the finger: what was open stays open, and what was pressed stays where it stood. The tray
// stands where it is seen, at the edge that is not under it; a press that took its button away leaves the focus there.
let pressed = null;
let edge = false;
document.addEventListener("htmx:beforeRequest", (event) => {
  const button = document.activeElement;
  if (event.detail.requestConfig.verb !== "post" || !button?.id) return;
  pressed = { id: button.id, box: button.getBoundingClientRect(), within: button.closest(".tray"), over: button.closest(".about")?.id };
});
const at = (one) => {
  const { top, bottom, left, width } = one.getBoundingClientRect();
  return document.elementFromPoint(left + width / 2, (top + bottom) / 2);
};
const seen = (one) => {
  const { top, bottom } = one.getBoundingClientRect();
  return top >= 0 && bottom <= window.innerHeight && one.contains(at(one));
};
// What is offered only now comes behind what was there, and what comes back too: nothing makes room for it. What has the
// focus stands still while the others are put in line around it, since moved it would lose it.
const shown = new Map();
const line = () => {
  for (const [at, group] of document.querySelectorAll("#act-list .act-buttons").entries()) {
    const before = shown.get(at) ?? [];
    const place = ({ id }) => (before.includes(id) ? before.indexOf(id) : before.length);
    const order = [...group.children].sort((one, other) => place(one) - place(other));
    const still = order.findIndex((one) => one.contains(document.activeElement));
    if (still < 0) group.append(...order);
    else {
      order[still].before(...order.slice(0, still));
      order[still].after(...order.slice(still + 1));
    }
    shown.set(at, order.map(({ id }) => id));
  }
};
line();
// What `hold` does on the page, in what lies over it, of which one edge stays: what has no room there is to be scrolled
// to. What it needs for that is said to the whole page, since htmx carries styles over to what it swaps in. It is kept
// till the next press or till what opened shuts, and by no other: if it came or went with the focus, a button would move
// between being pressed and being let go.
const holdWithin = (box, button, top) => {
  const { style, dataset } = document.getElementById("main");
  dataset.held = box.matches(".tray") ? "tray" : "pop";
  const by = () => Math.round(button.getBoundingClientRect().top - top);
  const low = getComputedStyle(box).position === "fixed" && !box.classList.contains("above");
  const room = low ? by() : -by();
  if (room > 0) style.setProperty(low ? "--room-below" : "--room-above", `${room}px`);
  else if (room < 0) style.setProperty("--room", `${box.offsetHeight + room}px`);
  box.scrollTop += by();
};
document.addEventListener("toggle", ({ target }) => {
  const { dataset } = document.getElementById("main");
  if (dataset.held === "pop" && target.matches(".about:not([open])")) delete dataset.held;
}, true);
// Of details of one name only one is open, and while a swap goes on the one that goes away still is.
let open = [], drifts = 0;
document.addEventListener("htmx:beforeSwap", () => {
  open = [...document.querySelectorAll("#table details[open][id]")].map((one) => one.id);
});
document.addEventListener("htmx:afterSettle", (event) => {
  for (const id of open) document.getElementById(id)?.setAttribute("open", "");
  open = [];
  line();
  const tray = document.querySelector(".tray.fresh");
  // Odds that were asked for before may come in between.
  if (!pressed || event.detail.requestConfig?.verb !== "post") return;
  // What opened over the page has done what it was opened for, and closes; what is to be answered otherwise stays.
  const over = pressed.over && document.getElementById(pressed.over);
  if (over && tray && !over.querySelector(".fault") && !document.querySelector("#messages .note")) {
    over.open = false;
    if (over.contains(document.activeElement)) document.activeElement.blur();
  }
  letGo("--room", "--room-above", "--room-below");
  if (tray && !pressed.within) edge = pressed.box.bottom > window.innerHeight - tray.offsetHeight;
  tray?.classList.toggle("above", edge);
  tray?.classList.toggle("adrift", Boolean(pressed.within?.classList.contains("adrift")));
  const button = document.getElementById(pressed.id);
  const stays = button?.checkVisibility();
  const box = button?.closest(".tray.fresh, .pop");
  const within = box && (box === tray || narrow.matches);
  if (stays) {
    if (document.activeElement === document.body) button.focus({ preventScroll: true });
    if (within) holdWithin(box, button, pressed.box.top);
    else hold(button, pressed.box.top);
  }
  if (document.activeElement === document.body) tray?.focus({ preventScroll: true });
  const said = tray?.querySelector(".tray-outcome");
  const covers = stays && !within && tray?.contains(at(button));
  if (said && (covers || !seen(said))) {
    tray.classList.add("adrift");
    // The column that it leaves is shorter now, and the page with it.
    if (stays && !within) hold(button, pressed.box.top);
    drifts = scrollY;
  }
  pressed = null;
});
// Whoever scrolls up to where it has its own place finds it there, and nothing below it.
document.addEventListener("scroll", () => {
  const tray = document.querySelector(".tray.adrift");
  if (!tray || scrollY > drifts - 8 || tray.parentElement.getBoundingClientRect().top < 0) return;
  tray.classList.remove("adrift");
}, { passive: true });
