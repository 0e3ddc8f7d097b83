// The table goes on: it asks whether there is something new as soon as it hears of news (live.js), every few seconds
// where it can hear of none, and now and then in any case; and it says the newest roll once.
const begin = () => {
  const live = () => document.getElementById("table-live");
  const newest = () => document.getElementById("newest").dataset;
  const mine = () => document.getElementById("turn-bar")?.dataset.turn.trim() ?? "";
  const stale = document.getElementById("stale");
  // What a poll has replaced is no longer in the page by then: its request still knows who asked.
  const ours = ({ detail }) => detail.requestConfig?.elt.id === "table-live";
  let said = newest().newest, turn = mine(), asked = 0, looked = Date.now();

  // The word that was heard last and when; when somebody pressed here last; what is to be looked for in any case.
  let heard, heardAt = 0, pressed = 0, forced = false, begun = 0;
  const now = () => performance.now();
  const due = () => forced || (heard !== undefined && heard !== newest().word);
  // What was asked for before something was pressed is no answer to it; and a poll that is swapped in while a press is
  // under way would take its button out of the page, where htmx finds no place for the answer any more. What is new is
  // often the press itself, which has told the page of it then. A poll that is never answered holds up the next ones for
  // ten seconds, not for good.
  let others = [], by = null;
  const busy = () => others.some((xhr) => xhr.readyState % 4) || !document.dispatchEvent(new Event("look", { cancelable: true }));
  document.body.addEventListener("htmx:beforeSend", (event) => {
    if (ours(event)) return;
    by = event.detail.requestConfig.elt;
    others = [...others.filter((xhr) => xhr.readyState % 4), event.detail.xhr];
    pressed = now();
  });
  // Pieces of the page that are otherwise since a word come one after the other. The page is asked for where one is missing,
  // and where they change what whoever acts here can do.
  let steps = [], taking = false;
  const concerns = ({ touched }) => touched.length > 0 && (document.getElementById("table-live").dataset.all !== undefined
    || touched.includes(seat("_by")) || touched.includes(seat("_at")));
  const take = () => {
    const first = steps.findIndex(({ since }) => since === newest().word), news = first < 0 ? [] : steps.slice(first);
    steps = [];
    if (!news.length || news.at(-1).word !== heard || news.some(concerns) || document.querySelector("#landings .asked, #asked .gathered")) return false;
    looked = Date.now();
    for (const { word, html, lines, newest: last, said: words } of news) {
      for (const key of lines) document.getElementById(`line-${key}`)?.remove();
      open = [...document.querySelectorAll("#party-table details[open][id]")].map((one) => one.id);
      taking = true;
      htmx.swap(document.getElementById("announcement"), html, { swapStyle: "none", settleDelay: 0, swapDelay: 0 });
      taking = false;
      newest().word = known = word;
      if (last) Object.assign(newest(), { newest: last, said: words });
      drawn();
    }
    return true;
  };
  const poll = (anyway) => {
    if (due() && !forced && !busy() && steps.length) {
      // Under a finger nothing is drawn: it goes on once that is lifted.
      if (!document.dispatchEvent(new Event("draw", { cancelable: true })) || take()) return;
    }
    if (!(anyway || due()) || document.hidden || Date.now() - asked < 10_000 || document.querySelector(".dragged") || busy()) return;
    asked = looked = Date.now();
    begun = now();
    forced = false;
    htmx.trigger(live(), "poll");
  };
  const hears = () => document.documentElement.dataset.live && Date.now() - looked < 60_000;
  setInterval(() => poll(!hears()), 1000 * Number(live().dataset.every));
  document.addEventListener("news", ({ detail }) => {
    if (detail) [heard, heardAt] = [detail, now()];
    else forced = true;
    poll();
  });
  document.addEventListener("pieces", ({ detail }) => {
    [heard, heardAt] = [detail.word, now()];
    steps.push(detail);
    poll();
  });
  document.addEventListener("drawn", () => poll());
  document.addEventListener("visibilitychange", () => poll(true));
  // Who acts, and whom that is aimed at, stands in the page once.
  const seat = (name) => document.querySelector(`#seats [name=${name}]`)?.value;
  document.body.addEventListener("htmx:configRequest", (event) => {
    const { verb, parameters } = event.detail, { word } = newest(), { acts, aims } = event.detail.elt.dataset;
    if (acts || aims) {
      const by = acts ?? seat("_by"), at = aims && aims === seat("_at") ? "-" : aims ?? seat("_at");
      if (by) parameters._by = by;
      if (at) parameters._at = at;
    }
    if (event.detail.elt.id === "table-live") parameters.since = word;
    if (verb !== "post") return;
    parameters._since = word;
    if (document.querySelector("#landings .asked, #asked .gathered")) parameters._asked = "1";
  });

  document.body.addEventListener("htmx:afterRequest", (event) => {
    if (event.detail.requestConfig?.elt.id === "say" && event.detail.successful) document.getElementById("say-text").value = "";
    if (ours(event)) {
      asked = 0;
      const { successful, xhr } = event.detail;
      stale.hidden = successful;
      // Who is no longer in the party is shown so by the page itself.
      if (xhr.status === 404) return document.dispatchEvent(new CustomEvent("gone", { detail: xhr }));
      // What was heard before that look was answered by it; what nobody answered is asked for in a while.
      if (!successful) { forced = true; return; }
      if (heardAt < begun) heard = undefined;
    }
    poll();
  });
  // What others do closes nothing that is open.
  let open = [];
  document.body.addEventListener("htmx:beforeSwap", () => {
    open = [...document.querySelectorAll("#party-table details[open][id]")].map((one) => one.id);
  });
  // What somebody types stays, whatever others do, and whatever is pressed beside it.
  let looking = false, typed = [];
  document.body.addEventListener("htmx:oobBeforeSwap", (event) => {
    const { target } = event.detail;
    // What fell elsewhere covers nothing in the tray that is still to be pressed.
    if (target?.id === "tray" && (looking || taking) && target.querySelector(".leads, [open], :focus")) event.detail.shouldSwap = false;
    if (target?.id !== "aim") return;
    typed = [...target.querySelectorAll("input:not([type=hidden]), textarea")].filter(
      (one) => one.value !== one.defaultValue || one.checked !== one.defaultChecked);
    if (looking && typed.length) event.detail.shouldSwap = false;
    if (looking) typed = [];
  });
  document.body.addEventListener("htmx:beforeSwap", (event) => {
    looking = ours(event);
    if (!looking || begun > pressed) return;
    event.detail.shouldSwap = false;
    forced ||= event.detail.xhr.status === 200;
  });
  let known = newest().word;
  // Which seats they are is shown beside each, and in the chips what is left of each.
  const marked = () => {
    for (const one of document.querySelectorAll("[data-level]")) {
      const level = document.querySelector(`#seat-${one.dataset.level} .level`);
      if (level) one.replaceChildren(level.cloneNode(true));
    }
    for (const one of document.querySelectorAll("[data-left]")) {
      one.textContent = document.getElementById(`seat-${one.dataset.left}`)?.dataset.figure ?? one.textContent;
    }
    for (const [name, kind, key] of [["acting", "acts", seat("_by")], ["aimed-at", "aims", seat("_at")]]) {
      for (const one of document.querySelectorAll(".participant")) one.classList.toggle(name, one.id === `seat-${key}`);
      for (const one of document.querySelectorAll(`[data-${kind}]`)) {
        if (one.dataset[kind] === key) one.setAttribute("aria-current", "true");
        else one.removeAttribute("aria-current");
      }
    }
  };
  const drawn = () => {
    for (const id of open) document.getElementById(id)?.setAttribute("open", "");
    marked();
    const { newest: last, said: words } = newest(), mover = mine(), news = [mover !== turn && mover, last !== said && words].filter(Boolean);
    [said, turn] = [last, mover];
    if (news.length) document.getElementById("announcement").textContent = news.join(" ");
  };
  document.body.addEventListener("htmx:afterSettle", (event) => {
    for (const { form, name, type, value } of typed) {
      const there = form && form !== by && document.getElementById(form.id)?.elements[name];
      if (there && type !== "checkbox" && type !== "radio") there.value = value;
    }
    typed = [];
    const { word } = newest();
    // A press that has told the page of all that is new has told of what was heard before it.
    if (word !== known && !ours(event) && heardAt < pressed) [heard, forced] = [undefined, false];
    known = word;
    drawn();
  });
};
// Without htmx the page works as it does without scripts; "Reload the page" is then a link to be seen.
if (window.htmx) begin();
else document.querySelector(".reload").style.setProperty("display", "inline");
