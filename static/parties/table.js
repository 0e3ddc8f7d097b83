// The table goes on: it asks whether there is something new as soon as it hears of news (live.js), every few seconds
// where it can hear of none, and now and then in any case; and it says the newest roll once.
"use strict";
(() => {
  // Without htmx the page works as it does without scripts; "Look again" is then a link to be seen.
  if (!window.htmx) return document.querySelector(".reload").style.setProperty("display", "inline");
  const live = () => document.getElementById("table-live");
  const stale = document.getElementById("stale");
  // What a poll has replaced is no longer in the page by then: its request still knows who asked.
  const ours = (event) => event.detail.requestConfig.elt.id === "table-live";
  let said = live().dataset.newest, turn = live().dataset.turn, asked = 0, due = false, looked = Date.now();

  // What was asked for before something was pressed is no answer to it; and a poll that is swapped in while a press is
  // under way would take its button out of the page, where htmx finds no place for the answer any more.
  let pressed = [], stands = true;
  const busy = () => pressed.some((xhr) => xhr.readyState % 4);
  document.body.addEventListener("htmx:beforeSend", (event) => {
    if (ours(event)) return;
    pressed = [...pressed.filter((xhr) => xhr.readyState % 4), event.detail.xhr];
    stands = false;
  });
  // A poll that is never answered holds up the next ones for ten seconds, not for good.
  const poll = () => {
    if (document.hidden || busy() || document.querySelector(".dragged") || Date.now() - asked < 10_000) return;
    asked = looked = Date.now();
    stands = true;
    due = false;
    htmx.trigger(live(), "poll");
  };
  const hears = () => document.documentElement.dataset.live && Date.now() - looked < 60_000;
  setInterval(() => { if (due || !hears()) poll(); }, 1000 * Number(live().dataset.every));
  document.addEventListener("news", () => {
    due = true;
    poll();
  });
  document.addEventListener("visibilitychange", poll);

  document.body.addEventListener("htmx:afterRequest", (event) => {
    if (!ours(event)) {
      // What a press has changed beside what it answers is there at the next look.
      if (event.detail.requestConfig.verb === "post") {
        asked = 0;
        poll();
      }
      return;
    }
    asked = 0;
    stale.hidden = event.detail.successful;
    // Who is no longer in the party is shown so by the page itself.
    if (event.detail.xhr.status === 404) document.dispatchEvent(new CustomEvent("gone", { detail: event.detail.xhr }));
    else if (due) poll();
  });
  // What others do closes nothing that is open.
  let open = [];
  document.body.addEventListener("htmx:beforeSwap", () => {
    open = [...document.querySelectorAll("#party-table details[open][id]")].map((one) => one.id);
  });
  // What somebody types stays, whatever others do.
  document.body.addEventListener("htmx:oobBeforeSwap", (event) => {
    const { target } = event.detail;
    if (target?.id !== "aim" || !looking) return;
    const typed = [...target.querySelectorAll("input:not([type=hidden]), textarea")].some(
      (one) => one.value !== one.defaultValue || one.checked !== one.defaultChecked);
    if (typed) event.detail.shouldSwap = false;
  });
  let looking = false;
  document.body.addEventListener("htmx:beforeSwap", (event) => {
    looking = ours(event);
    if (looking && !stands) event.detail.shouldSwap = false;
  });
  document.body.addEventListener("htmx:afterSettle", () => {
    for (const id of open) document.getElementById(id)?.setAttribute("open", "");
    const { newest, said: words, turn: mine } = live().dataset;
    const news = [mine !== turn && mine, newest !== said && words].filter(Boolean);
    [said, turn] = [newest, mine];
    if (news.length) document.getElementById("announcement").textContent = news.join(" ");
  });
})();
