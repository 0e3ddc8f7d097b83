// A line that is pressed opens where one remarks on it. A GM's own phrases stand below the text that has the focus, and a
// press puts one into it.
"use strict";
let written = null;
document.addEventListener("focusin", ({ target }) => {
  const chips = document.querySelector(".chips");
  if (!target.matches("[data-phrases]")) return;
  written = target;
  if (chips) target.after(chips);
});
document.addEventListener("click", (event) => {
  const place = event.target.closest("#fields .place > summary")?.parentElement;
  if (place && !place.open) {
    place.addEventListener("toggle", () => place.querySelector("[data-phrases]")?.focus(), { once: true });
  }
  const chip = event.target.closest("[data-phrase]");
  if (!chip) return;
  event.preventDefault();
  const text = written?.isConnected ? written : document.getElementById("comment");
  text.value = [text.value.trimEnd(), chip.dataset.phrase].filter(Boolean).join(" ");
  text.dispatchEvent(new Event("input", { bubbles: true }));
  text.focus();
});
