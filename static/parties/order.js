// The order of turns is set by dragging: whoever is dropped on somebody takes that place, as the buttons would do it.
const row = (event) => event.target.closest?.(".order li");
const dragged = () => document.querySelector(".order .dragged");
document.addEventListener("dragstart", (event) => {
  row(event)?.classList.add("dragged");
  event.dataTransfer.effectAllowed = "move";
});
document.addEventListener("dragend", () => dragged()?.classList.remove("dragged"));
document.addEventListener("dragover", (event) => {
  const over = dragged() && row(event);
  for (const one of document.querySelectorAll(".order .over")) one.classList.toggle("over", one === over);
  if (!over) return;
  event.preventDefault();
  over.classList.toggle("over", over !== dragged());
});
document.addEventListener("drop", (event) => {
  const over = dragged() && row(event);
  if (!over) return;
  event.preventDefault();
  const button = dragged().querySelector("button");
  button.value = button.value.replace(/\d+$/, [...over.parentElement.children].indexOf(over));
  dragged().classList.remove("dragged");
  button.click();
});
