// A roll of a log is copied in a dialog of its own, which no news of the page takes away.
"use strict";
const dialog = document.createElement("dialog");
dialog.id = "copy-roll";
dialog.className = "copy-roll";
document.body.append(dialog);

document.addEventListener("click", async (event) => {
  const link = event.target.closest("a[data-copies-roll]");
  if (event.target === dialog || event.target.closest("[data-closes]")) dialog.close();
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  const answer = await fetch(`${link.pathname}copy/`, { headers: { "X-Requested-With": "fetch" } });
  if (!answer.ok) {
    location.assign(link.href);
    return;
  }
  dialog.innerHTML = await answer.text();
  window.htmx?.process(dialog);
  dialog.showModal();
});
