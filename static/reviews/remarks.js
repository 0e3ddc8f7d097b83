// A line that is pressed opens where one remarks on it. What was written there stands in the line once that is closed, and
// its name beside the decision. A GM's own phrases stand below the text that has the focus; a press puts one into it.
"use strict";
let written = null;
const places = () => [...document.querySelectorAll("#fields .place")].filter((one) => textOf(one));
const textOf = (place) => place.querySelector(":scope > .remark textarea");
function told() {
  const remarked = document.getElementById("remarks");
  const some = places().filter((one) => textOf(one).value.trim());
  if (!remarked) return;
  remarked.hidden = !some.length;
  remarked.lastElementChild.replaceChildren(...some.flatMap((one, index) => {
    const link = document.createElement("a");
    link.href = `#${one.closest("[id]").id}`;
    link.textContent = one.dataset.called;
    return index ? [", ", link] : [link];
  }));
  for (const one of places()) {
    const line = one.querySelector(":scope > summary .remarked");
    if (line) line.textContent = textOf(one).value.trim();
  }
}
document.addEventListener("focusin", ({ target }) => {
  const chips = document.querySelector(".chips");
  if (!target.matches("[data-phrases]")) return;
  written = target;
  if (chips) (target.closest(".remark") ?? target).after(chips);
});
document.addEventListener("input", ({ target }) => { if (target.closest("#fields .remark")) told(); });
document.addEventListener("click", (event) => {
  const done = event.target.closest("[data-remark]");
  if (done) {
    const place = done.closest(".place");
    place.open = false;
    place.querySelector("summary").focus();
    return;
  }
  const place = event.target.closest("#fields .place > summary")?.parentElement;
  if (place && !place.open) {
    place.addEventListener("toggle", () => textOf(place)?.focus(), { once: true });
  }
  const chip = event.target.closest("[data-phrase]");
  if (!chip) return;
  event.preventDefault();
  const text = written?.isConnected ? written : document.getElementById("comment");
  text.value = [text.value.trimEnd(), chip.dataset.phrase].filter(Boolean).join(" ");
  text.dispatchEvent(new Event("input", { bubbles: true }));
  text.focus();
});
told();
