// A press moves nothing under the finger: what was pressed stays where it stood, and keeps the focus.
// Scrolls the page so that a button stands where it stood; where the page ends before that, it becomes longer.
export const hold = (button, top) => {
  const { style } = document.getElementById("main");
  const by = () => button.getBoundingClientRect().top - top;
  window.scrollBy({ top: by(), behavior: "instant" });
  const lengthen = (end, more) => style.setProperty(end, `${(parseFloat(style.getPropertyValue(end)) || 0) + more}px`);
  if (by() < -1) lengthen("--above", -by());
  if (by() > 1) {
    lengthen("--below", by());
    window.scrollBy({ top: by(), behavior: "instant" });
  }
};
// What was needed for that, and other such room, goes with the next press.
export const letGo = (...rooms) => {
  for (const one of ["--above", "--below", ...rooms]) document.getElementById("main").style.removeProperty(one);
};
// A page that is kept for the way back is kept without it: what is copied may bear no style of its own.
document.addEventListener("htmx:beforeHistorySave", () => document.getElementById("main").removeAttribute("style"));
