// A part of a page that is changed elsewhere is drawn anew as soon as there is news of it (live.js), and every few seconds
// where the page can hear of none. What somebody has written and opened there stays, and the focus where it is. Where it
// could not, or where a decision is about what was seen, nothing is drawn before it is asked for.
const watch = () => {
  const watched = () => document.getElementById("watched");
  // What is drawn anew may be watched no longer: a sheet that was approved meanwhile is played.
  const part = watched()?.getAttribute("hx-target");
  if (!part) return;
  const ours = ({ detail }) => detail.requestConfig?.elt.id === "watched";
  const fields = (part) => [...part.querySelectorAll("textarea, select, input:not([type=hidden]), details, summary")];
  // What stands at the same place of the page afterwards: ids are not everywhere.
  const ticked = (one) => /^(checkbox|radio)$/.test(one.type);
  // Two that are picked from may have one value, such as words that give the same die.
  const place = (one) => [one.closest("[id]")?.id, one.name, ticked(one) && one.value, one.type === "radio" && one.closest("label")?.textContent,
    one.matches("details, summary") && one.closest("details").querySelector("summary").textContent].join(" ");
  const usual = (one) => Math.max(0, [...one.options].findIndex((option) => option.defaultSelected));
  // What a form saves by itself is there in any case; what was refused is not.
  const written = (one) => one.name && !one.form?.hasAttribute("data-saves") && (one.form?.querySelector(".fault")
    || (one.matches("select") ? one.selectedIndex !== usual(one)
      : ticked(one) ? one.checked !== one.defaultChecked : one.value !== one.defaultValue));
  const seal = (part) => part?.querySelector("[name=_seal]")?.value;
  // What is in view and has a name stays where it stands, where nothing there has the focus.
  const inView = (part) => [...part.querySelectorAll("[id]")].find((one) => {
    const { top, height } = one.getBoundingClientRect();
    return height > 0 && top >= 0 && top < window.innerHeight;
  });

  // The word that was heard last and when; when the page looked and was pressed last; what it was to know by looking.
  let heard, heardAt = 0, asked = 0, looked = Date.now(), pressed = 0, forced = false, later = false, wanted = false, begun = 0, asking, kept, target;
  const now = () => performance.now();
  const stale = () => forced || (heard !== undefined && heard !== watched().dataset.word);
  // Who presses or saves here waits for that first, which may be all the news there is: scripts of the page say so.
  const free = () => document.dispatchEvent(new Event("look", { cancelable: true }));
  const look = (anyway) => {
    if (!watched() || !(anyway || stale())) return;
    if (document.hidden || Date.now() - asked < 10_000 || !free()) return;
    asked = looked = Date.now();
    begun = now();
    [asking, heard, forced, later] = [heard, undefined, false, false];
    htmx.trigger(watched(), "look");
  };
  document.addEventListener("news", ({ detail }) => {
    if (detail) [heard, heardAt] = [detail, now()];
    else forced = true;
    look();
  });
  // What somebody did elsewhere may leave this page as it is.
  document.addEventListener("pieces", ({ detail: { since, word } }) => {
    if (watched()?.dataset.word === since && heard === undefined && !forced) watched().dataset.word = word;
    else document.dispatchEvent(new CustomEvent("news", { detail: word }));
  });
  document.addEventListener("visibilitychange", () => look());
  setInterval(() => look(!document.documentElement.dataset.live || Date.now() - looked > 60_000), 4000);
  document.addEventListener("click", (event) => {
    if (!event.target.closest("#watched a")) return;
    event.preventDefault();
    wanted = true;
    look(true);
  });
  document.addEventListener("htmx:configRequest", (event) => {
    const { elt, verb, parameters } = event.detail, waits = document.getElementById("landings");
    // By which word a page knows what it shows, and of a sheet that is played what it shows.
    const word = watched()?.dataset.word;
    if (elt.id === "watched") {
      parameters.known = word;
      const seen = document.getElementById("seen")?.dataset.shown;
      if (seen) [parameters.seen, parameters.landings] = [seen, waits?.dataset.shown ?? ""];
    } else if (verb === "post") {
      pressed = now();
      if (document.getElementById("seen")) parameters._word = word;
      if (waits?.querySelector(".asked")) parameters._asked = "1";
    }
  });

  document.addEventListener("htmx:beforeSwap", (event) => {
    if (!ours(event)) return;
    const { detail } = event;
    if (detail.xhr.status !== 200) return;
    // Not while something is being saved, nor what was asked for before a press: soon after.
    later = !detail.shouldSwap;
    forced ||= later || pressed > begun;
    if (forced) detail.shouldSwap = false;
    if (forced) return;
    const was = target = detail.target;
    const then = new DOMParser().parseFromString(detail.serverResponse, "text/html").getElementById(was.id);
    const there = new Set(then ? fields(then).map(place) : []);
    const typed = fields(was).filter(written);
    const other = seal(was) && seal(then) && seal(then) !== seal(was);
    if (!then || (!wanted && (other || !typed.every((one) => there.has(place(one)))))) {
      detail.shouldSwap = false;
      watched().hidden = false;
      return;
    }
    wanted = false;
    const { activeElement: focus } = document, view = inView(was);
    kept = {
      typed: new Map(typed.map((one) => [place(one), one])),
      open: new Set(fields(was).filter((one) => one.open).map(place)),
      view: view && { id: view.id, top: view.getBoundingClientRect().top },
      focus: was.contains(focus) && { place: place(focus), from: focus.selectionStart, to: focus.selectionEnd,
        top: focus.getBoundingClientRect().top },
    };
  });
  const restore = () => {
    const drawn = document.getElementById(target.id), picked = new Set();
    for (const one of fields(drawn)) {
      const here = place(one), was = kept.typed.get(here);
      if (was && ticked(one)) one.checked = was.checked;
      else if (was) one.value = was.value;
      // What is drawn by what is picked, such as its odds, is that of what was picked.
      if (was && ticked(one) && one.checked !== one.defaultChecked) picked.add(one);
      if (one.matches("details") && kept.open.has(here)) one.open = true;
    }
    const again = kept.focus && [...drawn.querySelectorAll("*")].find((one) => one.matches("a, button, summary, input, select, textarea") && place(one) === kept.focus.place);
    if (again) {
      again.focus({ preventScroll: true });
      if (again.setSelectionRange && kept.focus.from !== null) again.setSelectionRange(kept.focus.from, kept.focus.to);
    }
    const stays = again ?? (kept.view && document.getElementById(kept.view.id)), top = again ? kept.focus.top : kept.view?.top;
    if (stays) window.scrollBy({ top: stays.getBoundingClientRect().top - top, behavior: "instant" });
    kept = undefined;
    for (const one of picked) one.dispatchEvent(new Event("change", { bubbles: true }));
  };
  // A press has drawn the page anew, or says by which word the page knows what it shows by now.
  let known = watched();
  document.addEventListener("htmx:afterSettle", (event) => {
    if (kept && ours(event)) restore();
    const one = watched(), seen = document.getElementById("seen"), word = seen?.dataset.word;
    if (!one || (one === known && !word)) return;
    known = one;
    if (word) one.dataset.word = word;
    delete seen?.dataset.word;
    if (ours(event)) return;
    // What was heard before that press was answered with it.
    forced = false;
    if (heardAt < pressed) heard = undefined;
  });
  // A browser that shows a page again may have put into it what it said later.
  document.addEventListener("restored", () => {
    const seen = document.getElementById("seen");
    if (seen?.value) seen.value = seen.dataset.shown;
  });
  document.addEventListener("htmx:afterRequest", (event) => {
    if (ours(event)) {
      asked = 0;
      const { xhr, requestConfig: { elt } } = event.detail, { status } = xhr;
      // Who may not read it any more, or what is gone, is told so by the page itself.
      if (status === 404) return document.dispatchEvent(new CustomEvent("gone", { detail: xhr }));
      // What nobody answered, or what was not to be drawn, is asked for in a while.
      if (status !== 200 && status !== 204) forced = true;
      if (later || (status !== 200 && status !== 204)) return;
      // What was not drawn as a whole is known by the word that was heard.
      if (elt === watched() && elt.hidden && !forced && asking) elt.dataset.word = asking;
    }
    look();
  });
};
if (window.htmx) watch();
