// A press may break a rule far from where one pressed: then a link in the lowest line says so and leads there.
const marks = () => [...document.querySelectorAll("#workspace :is(.mark.error, .mark.ask, .mark.open)")];
const words = (mark) => mark.querySelector(".said").textContent;
const link = () => document.getElementById("out_of_view");
const step = () => document.getElementById("step")?.getAttribute("action").split("?")[0];
let here = step(), known = new Set(marks().map(words)), told = "";

const seen = new IntersectionObserver(([one]) => { if (link()) link().hidden = one.isIntersecting; }, { rootMargin: "0px 0px -64px" });
const show = (mark) => {
  seen.disconnect();
  told = mark ? words(mark) : "";
  link().hidden = true;
  if (!mark) return;
  link().className = `out-of-view ${mark.classList[1]}`;
  link().href = `#${mark.parentElement.id}`;
  link().textContent = told;
  seen.observe(mark);
};
document.addEventListener("htmx:afterSettle", () => {
  if (!link()) return;
  const now = marks();
  // On another step nothing is new: it stands there as one comes.
  show(step() === here ? now.find((one) => !known.has(words(one))) ?? now.find((one) => words(one) === told) : undefined);
  [here, known] = [step(), new Set(now.map(words))];
});
