// A part of a page that others change is drawn anew as soon as there is news of it (live.js), and every few seconds where
// the page can hear of none. What somebody has written and opened there stays. Where it could not, or where a decision is
// about what was seen, nothing is drawn before it is asked for.
"use strict";
(() => {
  if (!window.htmx) return;
  const watched = () => document.getElementById("watched");
  // What is drawn anew may be watched no longer: a sheet that was approved meanwhile is played.
  const part = watched()?.getAttribute("hx-target");
  if (!part) return;
  const drawn = (within = document) => within.querySelector(part);
  const ours = ({ detail }) => detail.requestConfig.elt.id === "watched";
  const fields = (part) => [...part.querySelectorAll("textarea, select, input:not([type=hidden]), details, summary")];
  // What stands at the same place of the page afterwards: ids are not everywhere.
  const place = (one) => [one.closest("[id]")?.id, one.name, one.type === "checkbox" && one.value,
    one.matches("details, summary") && one.closest("details").querySelector("summary").textContent].join(" ");
  const usual = (one) => Math.max(0, [...one.options].findIndex((option) => option.defaultSelected));
  // What a form saves by itself is there in any case.
  const written = (one) => one.name && !one.form?.hasAttribute("data-saves") && (one.matches("select") ? one.selectedIndex !== usual(one)
    : one.type === "checkbox" ? one.checked !== one.defaultChecked : one.value !== one.defaultValue);
  const seal = (part) => part?.querySelector("[name=_seal]")?.value;

  let asked = 0, looked = Date.now(), due = false, wanted = false, kept;
  const look = () => {
    due = Boolean(watched());
    if (!due || document.hidden || Date.now() - asked < 10_000) return;
    asked = looked = Date.now();
    due = false;
    htmx.trigger(watched(), "look");
  };
  document.addEventListener("news", look);
  document.addEventListener("visibilitychange", () => { if (due) look(); });
  setInterval(() => { if (due || !document.documentElement.dataset.live || Date.now() - looked > 60_000) look(); }, 4000);
  document.addEventListener("click", (event) => {
    if (!event.target.closest("#watched a")) return;
    event.preventDefault();
    wanted = true;
    look();
  });

  document.addEventListener("htmx:beforeSwap", (event) => {
    if (!ours(event)) return;
    if (!event.detail.shouldSwap) {
      // Not while something is being saved: soon after.
      if (event.detail.xhr.status === 200) setTimeout(() => { due = true; });
      return;
    }
    const now = drawn(new DOMParser().parseFromString(event.detail.serverResponse, "text/html"));
    const there = new Set(now ? fields(now).map(place) : []);
    const was = drawn(), typed = fields(was).filter(written);
    const other = seal(was) && seal(now) && seal(now) !== seal(was);
    if (!now || (!wanted && (other || !typed.every((one) => there.has(place(one)))))) {
      event.detail.shouldSwap = false;
      watched().hidden = false;
      return;
    }
    wanted = false;
    const { activeElement: focus } = document;
    kept = {
      typed: new Map(typed.map((one) => [place(one), one])),
      open: new Set(fields(was).filter((one) => one.open).map(place)),
      focus: was.contains(focus) && { place: place(focus), from: focus.selectionStart, to: focus.selectionEnd,
        top: focus.getBoundingClientRect().top },
    };
  });
  document.addEventListener("htmx:afterSettle", (event) => {
    if (!kept || !ours(event)) return;
    for (const one of fields(drawn())) {
      const here = place(one), was = kept.typed.get(here);
      if (was?.type === "checkbox") one.checked = was.checked;
      else if (was) one.value = was.value;
      if (one.matches("details") && kept.open.has(here)) one.open = true;
    }
    const again = kept.focus && [...drawn().querySelectorAll("*")].find((one) => one.matches("a, button, summary, input, select, textarea") && place(one) === kept.focus.place);
    if (again) {
      again.focus({ preventScroll: true });
      if (again.setSelectionRange && kept.focus.from !== null) again.setSelectionRange(kept.focus.from, kept.focus.to);
      window.scrollBy({ top: again.getBoundingClientRect().top - kept.focus.top, behavior: "instant" });
    }
    kept = undefined;
  });
  document.addEventListener("htmx:afterRequest", (event) => {
    if (!ours(event)) return;
    asked = 0;
    // Who may not read it any more, or what is gone, is told so by the page itself.
    if (event.detail.xhr.status === 404) document.dispatchEvent(new CustomEvent("gone", { detail: event.detail.xhr }));
    else if (due) look();
  });
})();
