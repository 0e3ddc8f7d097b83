// Live saving. The forms work without it; this keeps what is typed, says honestly what is saved, and speaks the budget.
import { hold, letGo } from "../components/hold.js";
import { number, plain } from "../components/numbers.js";

const begin = () => {
  const workspace = () => document.getElementById("workspace");
  const form = () => document.getElementById("step");
  // What moves rows or replaces figures: until it is answered, nothing else may be typed into them.
  const MOVING = /^(drop|up|down|copy|turn|undo|redo|mend|fill|random):/;
  // dirty: typed and not sent; busy: sent and not answered; bound: what to do as soon as all is saved.
  let dirty = false, busy = false, failing = false, bound = null, settling = false, since = 0, pressed = "", timer, pause, retry;
  let sent = new Map(), late = [], waiting = [], anchor = null, unfolded = [], chosen = null;

  const say = (text, again) => {
    const saved = document.getElementById("saved");
    if (!saved) return;
    saved.textContent = text;
    if (!again) return;
    const button = document.createElement("button");
    button.type = "button";
    button.className = "button quiet";
    button.textContent = workspace().dataset.again;
    button.addEventListener("click", save);
    saved.append(" ", button);
  };
  const speak = (text) => {
    const spoken = document.getElementById("announcement");
    if (spoken && text && spoken.textContent !== text) spoken.textContent = text;
  };
  const save = () => {
    clearTimeout(timer);
    clearTimeout(retry);
    if (busy || !form()) return;
    htmx.trigger(form(), "submit");
    // A form that has only just come in is not known to htmx yet.
    if (!busy) timer = setTimeout(save, 60);
  };
  // At the next pause; who types on and on is saved all the same.
  const plan = () => {
    clearTimeout(timer);
    timer = setTimeout(save, Math.max(0, Math.min(350, since + 1000 - Date.now())));
  };
  // What each input says: a box is one for itself, for a box that is not ticked sends nothing.
  const boxed = (input) => input.type === "checkbox" || input.type === "radio";
  const key = (input) => boxed(input) ? `${input.name}=${input.value}` : input.name;
  const inputs = () => [...form().elements].filter((one) => one.name && !one.name.startsWith("_v") && !/^(button|submit|hidden|fieldset)$/.test(one.type));
  const values = () => new Map(inputs().map((input) => [key(input), boxed(input) ? input.checked : input.value]));

  const touched = () => {
    if (!dirty) since = Date.now();
    dirty = true;
    say(workspace().dataset.unsaved);
    plan();
  };
  document.addEventListener("input", (event) => { if (form() && event.target.form === form()) touched(); });
  // Somebody may have typed before this script was there.
  const early = (input) => /^text/.test(input.type) && input.value !== input.defaultValue;
  if ([...form().elements].some(early)) touched();

  // A press on − or + changes the number here at once; the server hears of it like of anything typed.
  document.addEventListener("click", (event) => {
    const button = event.target.closest(".stepper button");
    if (!button) return;
    const input = button.parentElement.querySelector("input");
    if (!/^[+-]?\d*$/.test(plain(input.value))) return;
    event.preventDefault();
    step(input, button.value.startsWith("more") ? 1 : -1);
  });
  document.addEventListener("keydown", (event) => {
    const by = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (!by || !event.target.closest(".stepper") || !/^[+-]?\d+$/.test(plain(event.target.value))) return;
    event.preventDefault();
    step(event.target, by);
  });
  const step = (input, by) => {
    const value = number(input.value) + by, [less, more] = input.parentElement.querySelectorAll("button");
    if (by < 0 && value < Number(input.dataset.low ?? -Infinity)) return speak(less.dataset.end);
    if (by > 0 && value > Number(input.dataset.high ?? Infinity)) return speak(more.dataset.end);
    input.value = value;
    input.dispatchEvent(new Event("input", { bubbles: true }));
  };
  // What goes no further says why; with arrows in the number itself its buttons are no stops of their own.
  const ended = (button, end) => {
    button.tabIndex = -1;
    button.toggleAttribute("title", end);
    if (end) [button.title, button.ariaDisabled] = [button.dataset.end, "true"]; else button.ariaDisabled = null;
  };
  const steppers = (among) => {
    for (const input of among.querySelectorAll("#step .stepper input")) {
      const [less, more] = input.parentElement.querySelectorAll("button"), value = number(input.value);
      ended(less, value <= Number(input.dataset.low ?? -Infinity));
      ended(more, value >= Number(input.dataset.high ?? Infinity));
    }
  };
  steppers(document);
  // A side column that is higher than the window scrolls with the page, until its lower end is in view.
  const measured = new ResizeObserver(([{ target }]) => target.style.setProperty("--tall", `${target.offsetHeight}px`));
  const measure = () => { measured.disconnect(); measured.observe(document.getElementById("sidebar") ?? document.body); };
  measure();
  document.addEventListener("input", (event) => { if (event.target.closest(".stepper")) steppers(document); });
  // A number that is pressed is chosen as a whole, so that what is typed takes its place.
  let came = null;
  document.addEventListener("pointerdown", (event) => { came = event.target === document.activeElement ? null : event.target; });
  document.addEventListener("click", (event) => { if (event.target === came && came.matches(".stepper input")) came.select(); });
  // Who went on stands in the first field of what came.
  const ONWARD = "onward";
  if (sessionStorage.getItem(ONWARD)) {
    sessionStorage.removeItem(ONWARD);
    const first = form().querySelector("input:not([type=hidden]):not(:disabled), select, textarea:not([readonly]), .deal button");
    if (first && !location.hash) { first.focus(); if (first.closest(".stepper")) first.select(); }
  }

  // Who goes elsewhere goes when all is saved; who closes the page before is asked.
  const wait = (event, go) => {
    if (failing || !(dirty || busy)) return;
    event.preventDefault();
    bound = go;
    if (!busy) save();
  };
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[href]");
    if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    settling ||= Boolean(link.closest(".conflict"));
    if (link.pathname + link.search !== location.pathname + location.search) wait(event, () => location.assign(link.href));
  });
  document.addEventListener("submit", (event) => {
    const other = event.target, submitter = event.submitter;
    // Pressed before htmx knows the form: the browser sends it, with all that was typed, and nobody need be asked.
    if (other === form() && event.isTrusted && !event.defaultPrevented) { clearTimeout(timer); dirty = false; }
    settling ||= Boolean(other.closest(".conflict"));
    if (other.method === "post" && !other.hasAttribute("hx-post")) wait(event, () => other.requestSubmit(submitter));
  });
  window.addEventListener("beforeunload", (event) => {
    if (dirty || busy || (document.querySelector(".conflict") && !settling)) event.preventDefault();
  });

  // What is pressed while something is saved comes next, in the form as the answer brings it: htmx forgets what waits for a
  // form that is no longer there. What moves rows is pressed for the row that one saw, and not once more.
  document.addEventListener("htmx:confirm", (event) => {
    const { elt, triggeringEvent } = event.detail, button = triggeringEvent?.submitter;
    if (elt !== form() || !busy || !button?.name) return;
    event.preventDefault();
    const { name, value } = button;
    if (MOVING.test(value)) return;
    waiting.push(() => {
      const again = [...workspace().querySelectorAll("button:enabled")].find((one) => one.name === name && one.value === value);
      if (again) form().requestSubmit(again);
    });
  });
  // htmx overlooks buttons that stand outside of their form, and takes a − or + for the button of the next live save.
  document.addEventListener("htmx:configRequest", (event) => {
    if (event.detail.elt !== form()) return;
    const button = event.detail.triggeringEvent?.submitter;
    pressed = button?.name ? button.value : "";
    if (/^(go:|next)/.test(pressed)) sessionStorage.setItem(ONWARD, "1");
    if (pressed) event.detail.parameters[button.name] = pressed; else delete event.detail.parameters.do;
    // What has a name of its own is there again after the press, and stays where it is: one presses again and again.
    chosen = button?.id ? { id: button.id, top: button.getBoundingClientRect().top } : null;
    // A catalogue that is drawn anew shows what it was searched and narrowed down to.
    const sought = [...document.querySelectorAll("#catalogues form")].flatMap((one) => [...new FormData(one)]);
    for (const name of ["q", "is", "from", "own"])
      event.detail.parameters[`_${name}`] = sought.filter(([key]) => key === name).map(([, value]) => value);
  });
  document.addEventListener("htmx:beforeRequest", (event) => {
    if (event.detail.elt !== form()) return;
    clearTimeout(timer);
    sent = values();
    [dirty, busy] = [false, true];
    // A new row of a list in pages stands on another of them.
    form().inert = MOVING.test(pressed) || (pressed.startsWith("add:") && Boolean(form().querySelector(".row-pages")));
    say(workspace().dataset.saving);
  });
  document.addEventListener("htmx:beforeOnLoad", (event) => { if (event.detail.elt === form()) [busy, failing] = [false, false]; });
  const failed = (event) => {
    if (event.detail.elt !== form()) return;
    [dirty, busy, failing, bound, waiting, since] = [true, false, true, null, [], Date.now()];
    form().inert = false;
    say(workspace().dataset.failed, true);
    speak(workspace().dataset.failed);
    clearTimeout(retry);
    retry = setTimeout(save, 5000);
  };
  for (const name of ["sendError", "sendAbort", "timeout", "responseError"]) document.addEventListener(`htmx:${name}`, failed);
  window.addEventListener("online", () => { if (dirty) save(); });

  document.addEventListener("htmx:beforeSwap", (event) => {
    const { detail } = event, active = document.activeElement;
    late = [];
    if (detail.requestConfig?.elt !== form()) return;
    unfolded = [...document.querySelectorAll("#workspace details[data-of][open]")].map((one) => one.dataset.of);
    // Who has gone on in the meantime is not called back.
    if (active !== document.body && chosen?.id !== active.id) chosen = null;
    anchor = form().contains(active) ? { active, top: active.getBoundingClientRect().top } : null;
    // What the rules say at a field is sent where they still say something.
    if (detail.xhr.status === 200 && detail.target !== workspace()) {
      for (const one of form().querySelectorAll(".told")) one.textContent = "";
    }
    if (detail.xhr.status === 409) {
      // The choice is shown once it can hold everything that was typed.
      detail.isError = false;
      detail.shouldSwap = !dirty;
      bound = null;
      if (dirty) plan();
    } else if (detail.target === workspace()) {
      // What was typed while an answer was under way is put back where the answer brings the fields anew.
      const { id, selectionStart: start, selectionEnd: end } = active;
      for (const [name, value] of values()) if (sent.get(name) !== value) late.push({ name, value, id, start, end });
    }
  });
  // What became of it elsewhere (watched.js) is asked for and drawn once all of one's own is saved.
  document.addEventListener("look", (event) => { if (dirty || busy) event.preventDefault(); });
  document.addEventListener("htmx:beforeSwap", ({ detail }) => {
    if (detail.requestConfig?.elt.id === "watched" && (dirty || busy)) detail.shouldSwap = false;
  });
  document.addEventListener("htmx:afterSwap", () => {
    if (anchor?.active.isConnected) window.scrollBy(0, anchor.active.getBoundingClientRect().top - anchor.top);
    anchor = null;
    if (dirty) { say(workspace().dataset.unsaved); plan(); }
    for (const { name, value, id, start, end } of late.splice(0)) {
      const input = form() && inputs().find((one) => key(one) === name);
      const what = typeof value === "boolean" ? "checked" : "value";
      if (!input || input[what] === value) continue;
      input[what] = value;
      if (input.id === id && start != null) input.setSelectionRange(start, end);
      input.dispatchEvent(new Event("input", { bubbles: true }));
    }
  });
  document.addEventListener("htmx:afterSettle", () => {
    steppers(document);
    measure();
    for (const fault of document.querySelectorAll(".fault[data-for]")) {
      const input = document.getElementById(fault.dataset.for);
      if (!input) continue;
      const wrong = document.getElementById(`${input.id}--told`)?.querySelector(".mark.error");
      if (fault.textContent || wrong) input.setAttribute("aria-invalid", "true"); else input.removeAttribute("aria-invalid");
    }
    for (const one of document.querySelectorAll("#workspace details[data-of]")) one.open ||= unfolded.includes(one.dataset.of);
    unfolded = [];
    const saved = document.getElementById("saved"), watched = document.getElementById("watched");
    const left = Number(saved?.dataset.left);
    // What one has saved oneself is no news.
    if (saved && watched) watched.dataset.word = watched.dataset.word.replace(/^\d+/, saved.dataset.version);
    for (const one of document.querySelectorAll("[data-cost]")) {
      const short = Math.max(0, one.dataset.cost - left);
      one.hidden = !short;
      const words = one.closest("[data-one]").dataset;
      one.textContent = short === 1 ? words.one : words.many.replace("999", short);
    }
    if (!form()) document.querySelector(".conflict h1")?.focus();
    if (!dirty && !busy) {
      const go = bound ?? waiting.shift();
      bound = null;
      go?.();
    }
    clearTimeout(pause);
    pause = setTimeout(() => speak(document.getElementById("saved")?.dataset.said), 1200);
  });
  // After a button the focus goes to what it made, else to the button itself, which the answer brought anew.
  document.addEventListener("focus-on", (event) => {
    // A row that was added or moved may stand on another page of its list; whoever loads anew stays there.
    const here = form()?.getAttribute("action");
    if (here && here !== location.pathname + location.search) history.replaceState(history.state, "", here);
    const made = document.getElementById(event.detail.id);
    // A row of one's own, whose name is still to be written, comes to where one pressed.
    const name = made?.querySelector(":scope > .fields input[id]");
    if (chosen && !dirty && pressed.startsWith("add:") && name?.value === "") {
      const top = Math.max(16, Math.min(chosen.top, innerHeight - made.offsetHeight - 96));
      chosen = null;
      name.focus({ preventScroll: true });
      letGo();
      return hold(made, top);
    }
    if (chosen) {
      const button = document.getElementById(chosen.id) ?? document.getElementById(chosen.id.replace(/less$/, "add"));
      // The last one taken out: there is nothing less.
      const one = button?.disabled ? button.parentElement.querySelector("button:enabled") : button;
      if (one && !dirty) one.focus({ preventScroll: true });
      letGo();
      if (button) hold(button, chosen.top);
      chosen = null;
      if (one) return;
    }
    const found = document.getElementById(event.detail.id);
    const again = /^(more|less):/.test(pressed) && [...workspace().querySelectorAll("button")].find((button) => button.value === pressed);
    if (again && !dirty) again.focus({ preventScroll: true });
    else if (found && !dirty) {
      const fields = [...found.querySelectorAll("input:not([type=hidden]), select, textarea")];
      // Of what came filled in, the first that is not.
      const open = pressed.startsWith("add:") && fields.find((one) => !one.value || one.closest(".stepper"));
      const first = found.matches("input, select, textarea") ? found : open || fields[0];
      (first ?? found).focus();
      if (first?.closest(".stepper")) first.select();
    } else if (document.activeElement === document.body) {
      const same = [...workspace().querySelectorAll("button:enabled")].find((button) => button.value === pressed);
      (same ?? workspace().querySelector("h1"))?.focus({ preventScroll: true });
    }
  });
};
// Where htmx did not arrive the forms work as they do without scripts; half of this would be worse than none.
if (window.htmx) begin();
