// A rule that is named opens where one is; without scripts the link leads to the page of the rules, as it does from there.
"use strict";
{
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
  document.addEventListener("click", async (event) => {
    const link = event.target.closest("a[href*='/rules/'][href*='#']");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || link.closest("#rule-text")) return;
    if (link.pathname === window.location.pathname) return;
    event.preventDefault();
    document.body.append(box);
    await window.htmx.ajax("GET", `${link.pathname}?rule=${link.hash.slice(1)}`, { source: box, target: box, swap: "innerHTML" });
    box.showPopover();
    beside(link);
    box.focus({ preventScroll: true });
  });
}
