// Live saving. The forms work without it; this keeps what is typed, says honestly what is saved, and speaks the budget.
"use strict";
(() => {
  const bench = () => document.getElementById("bench");
  const form = () => document.getElementById("step");
  let dirty = false, sent = new Map(), pause, retry;

  const say = (text, again) => {
    const saved = document.getElementById("saved");
    if (!saved) return;
    saved.textContent = text;
    if (!again) return;
    const button = document.createElement("button");
    button.type = "button";
    button.className = "button quiet";
    button.textContent = bench().dataset.again;
    button.addEventListener("click", save);
    saved.append(" ", button);
  };
  const save = () => { clearTimeout(retry); htmx.trigger(form(), "submit"); };
  const values = () => new Map([...new FormData(form())].filter(([name]) => !name.startsWith("_v")));

  document.addEventListener("input", (event) => {
    if (event.target.form !== form()) return;
    dirty = true;
    say(bench().dataset.unsaved);
  });

  // A press on − or + changes the number here at once; the server hears of it like of anything typed.
  document.addEventListener("click", (event) => {
    const button = event.target.closest(".stepper button");
    if (!button) return;
    const input = button.parentElement.querySelector("input");
    if (!/^\s*[+-]?\d*\s*$/.test(input.value)) return;
    event.preventDefault();
    step(input, button.value.startsWith("more") ? 1 : -1);
  });
  document.addEventListener("keydown", (event) => {
    const by = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (!by || !event.target.closest(".stepper") || !/^\s*[+-]?\d+\s*$/.test(event.target.value)) return;
    event.preventDefault();
    step(event.target, by);
  });
  const step = (input, by) => {
    const value = Number(input.value || 0) + by;
    if (value < Number(input.dataset.low ?? -Infinity) || value > Number(input.dataset.high ?? Infinity)) return;
    input.value = value;
    input.dispatchEvent(new Event("input", { bubbles: true }));
  };

  // htmx overlooks buttons that stand outside of their form.
  document.addEventListener("htmx:configRequest", (event) => {
    const button = event.detail.triggeringEvent?.submitter;
    if (event.detail.elt === form() && button?.name) event.detail.parameters[button.name] = button.value;
  });
  document.addEventListener("htmx:beforeRequest", (event) => {
    if (event.detail.elt !== form()) return;
    sent = values();
    dirty = false;
    say(bench().dataset.saving);
  });
  const failed = (event) => {
    if (event.detail.elt !== form()) return;
    dirty = true;
    say(bench().dataset.failed, true);
    clearTimeout(retry);
    retry = setTimeout(save, 5000);
  };
  document.addEventListener("htmx:sendError", failed);
  document.addEventListener("htmx:timeout", failed);
  document.addEventListener("htmx:responseError", (event) => { if (event.detail.xhr.status !== 409) failed(event); });

  // What was typed while an answer was under way is put back where the answer brings the fields anew.
  let late = [];
  document.addEventListener("htmx:beforeSwap", (event) => {
    late = [];
    if (event.detail.requestConfig?.elt !== form() || event.detail.target !== bench()) return;
    for (const [name, value] of values()) if (sent.get(name) !== value) late.push([name, value]);
  });
  document.addEventListener("htmx:afterSettle", () => {
    for (const fault of document.querySelectorAll(".fault[data-for]")) {
      const input = document.getElementById(fault.dataset.for);
      if (!input) continue;
      if (fault.textContent) input.setAttribute("aria-invalid", "true"); else input.removeAttribute("aria-invalid");
    }
    for (const [name, value] of late) {
      const input = form()?.elements[name];
      if (!input || input.value === value) continue;
      input.value = value;
      input.dispatchEvent(new Event("input", { bubbles: true }));
    }
    late = [];
    clearTimeout(pause);
    pause = setTimeout(() => {
      const spoken = document.getElementById("spoken"), said = document.getElementById("aside")?.dataset.said;
      if (spoken && said && spoken.textContent !== said) spoken.textContent = said;
    }, 1200);
  });
  document.addEventListener("focus-on", (event) => {
    const found = document.getElementById(event.detail.id);
    if (!found) return;
    const first = found.matches("input, select, textarea") ? found : found.querySelector("input:not([type=hidden]), select, textarea");
    (first ?? found).focus();
  });
  window.addEventListener("beforeunload", (event) => { if (dirty) event.preventDefault(); });
})();
