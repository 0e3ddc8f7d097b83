// A rule that is named opens where one is; without scripts the link leads to the page of the rules, as it does from there.
const box = document.createElement("aside");
Object.assign(box, { id: "rule-text", className: "rule-text card", popover: "auto", tabIndex: -1 });
box.setAttribute("aria-labelledby", "rule-title");
// It stands beside what is explained, below it where there is room; on a phone at the lower edge.
const beside = (link) => {
  box.style.inset = "";
  if (window.matchMedia("(max-width: 46rem)").matches) return;
  const { left, top, bottom } = link.getBoundingClientRect();
  const { offsetWidth: wide, offsetHeight: high } = box;
  const start = Math.max(16, Math.min(left, document.documentElement.clientWidth - wide - 16));
  const below = bottom + 8 + high <= window.innerHeight ? bottom + 8 : Math.max(16, top - 8 - high);
  box.style.inset = `${below}px auto auto ${start}px`;
};
let said = "";
const open = async (link, wanted = () => true) => {
  document.body.append(box);
  if (said !== link.href) await window.htmx.ajax("GET", `${link.pathname}?rule=${link.hash.slice(1)}`, { source: box, target: box, swap: "innerHTML" });
  said = link.href;
  if (!wanted()) return;
  box.showPopover();
  beside(link);
};
document.addEventListener("click", async (event) => {
  const link = event.target.closest("a[href*='/rules/'][href*='#']");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || link.closest("#rule-text")) return;
  if (link.pathname === window.location.pathname) return;
  event.preventDefault();
  over = null;
  await open(link);
  box.focus({ preventScroll: true });
});
// A term says its rule to whoever rests on it, with the mouse or with the focus, and takes neither; it goes with them.
let over = null;
const rest = (term) => {
  over = term;
  setTimeout(async () => {
    const wanted = () => over === term && term.isConnected && !box.matches(":popover-open");
    // Whoever has gone on before its text came is not stopped by it.
    if (wanted()) await open(term, wanted);
  }, 400);
};
const leave = () => {
  const left = over;
  over = null;
  setTimeout(() => {
    if (left && !over && box.matches(":popover-open:not(:hover, :focus-within)")) box.hidePopover();
  }, 300);
};
document.addEventListener("pointerover", ({ target, pointerType }) => {
  const term = target.closest(".term, #rule-text");
  if (pointerType !== "mouse" || term === over) return;
  if (term?.matches(".term")) rest(term);
  else if (!term && over) leave();
});
document.addEventListener("focusin", ({ target, relatedTarget }) => {
  // Where the focus comes back from the rule, it has been read.
  if (target.matches(".term:focus-visible") && !box.contains(relatedTarget)) rest(target);
});
document.addEventListener("focusout", ({ target }) => {
  if (target === over) leave();
});
