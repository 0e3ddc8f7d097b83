// The table goes on: it asks every few seconds whether there is something new, and says the newest roll once.
"use strict";
(() => {
  // Without htmx the page works as it does without scripts; "Look again" is then a link to be seen.
  if (!window.htmx) return document.querySelector(".again").style.setProperty("display", "inline");
  const happening = () => document.getElementById("happening");
  const stale = document.getElementById("stale");
  // What a look has replaced is no longer in the page by then: its request still knows who asked.
  const ours = (event) => event.detail.requestConfig.elt.id === "happening";
  let said = happening().dataset.newest, asked = 0;

  // A look that is never answered holds up the next ones for ten seconds, not for good.
  const look = () => {
    if (document.hidden || Date.now() - asked < 10_000) return;
    asked = Date.now();
    htmx.trigger(happening(), "look");
  };
  const timer = setInterval(look, 1000 * Number(happening().dataset.every));
  document.addEventListener("visibilitychange", look);

  document.body.addEventListener("htmx:afterRequest", (event) => {
    if (!ours(event)) return;
    asked = 0;
    stale.hidden = event.detail.successful;
    // Who is no longer in the party is shown so by the page itself.
    if (event.detail.xhr.status === 404) { clearInterval(timer); location.reload(); }
  });
  document.body.addEventListener("htmx:afterSettle", () => {
    const { newest, said: words } = happening().dataset;
    if (newest === said) return;
    said = newest;
    document.getElementById("spoken").textContent = words;
  });
})();
