// A rule that is named opens where one is; without scripts the link leads to the page of the rules, as it does from there.
"use strict";
{
  const box = document.createElement("aside");
  Object.assign(box, { id: "rule-text", className: "rule-text card", popover: "auto", tabIndex: -1 });
  box.setAttribute("aria-labelledby", "rule-title");
  document.addEventListener("click", async (event) => {
    const link = event.target.closest("a[href*='/rules/'][href*='#']");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || link.closest("#rule-text")) return;
    if (link.pathname === window.location.pathname) return;
    event.preventDefault();
    document.body.append(box);
    await window.htmx.ajax("GET", `${link.pathname}?rule=${link.hash.slice(1)}`, { source: box, target: box, swap: "innerHTML" });
    box.showPopover();
    box.focus({ preventScroll: true });
  });
}
