// A box that ticks all boxes of a name in its form, and unticks them; nobody misses it without scripts.
for (const all of document.querySelectorAll("[data-ticks]")) {
  const boxes = [...all.closest("form").elements].filter((one) => one.type === "checkbox" && one.name === all.dataset.ticks);
  const box = all.querySelector("input"), told = () => {
    const ticked = boxes.filter((one) => one.checked).length;
    box.checked = ticked === boxes.length;
    box.indeterminate = ticked > 0 && !box.checked;
  };
  all.hidden = !boxes.length;
  box.addEventListener("change", () => { for (const one of boxes) one.checked = box.checked; });
  for (const one of boxes) one.addEventListener("change", told);
  told();
}
