// Of boxes for "all" and for some each ticked one unticks those that contradict it.

document.addEventListener("change", ({ target }) => {
  const boxes = target.checked && target.closest("[data-all-or-some]")?.querySelectorAll("input[type=checkbox]");
  for (const box of boxes || []) {
    if ((box.value === "all") !== (target.value === "all")) { box.checked = false; }
  }
});
