// Who switches the language goes on with what was typed, on whatever page. What is secret is never kept, and what a form
// saves by itself is there in any case.
const TYPED = "typed", form = document.getElementById("language");
const SECRET = "[type=password], [autocomplete=one-time-code], [name=code], form[data-saves]:not([data-notes]) *";
const ticked = (one) => /^(checkbox|radio)$/.test(one.type);
// {where it stands: field}: by its form and its name, for words are others in another language.
const fields = () => {
  const found = new Map(), seen = new Map();
  for (const one of document.querySelectorAll("main :is(input, textarea, select)")) {
    if (!one.name || one.readOnly || one.matches(SECRET) || /^(hidden|submit|button|file)$/.test(one.type)) continue;
    const place = [one.form?.id || one.form?.getAttribute("action"), one.name, ticked(one) ? one.value : ""].join(" ");
    seen.set(place, (seen.get(place) ?? 0) + 1);
    found.set(`${place} ${seen.get(place)}`, one);
  }
  return found;
};
const said = (one) => ticked(one) ? one.checked : one.value;
form?.addEventListener("submit", () => {
  const typed = [...fields()].map(([place, one]) => [place, said(one)]);
  try {
    sessionStorage.setItem(TYPED, JSON.stringify({ path: location.pathname, typed }));
  } catch {
    // It is more than a browser keeps.
    sessionStorage.removeItem(TYPED);
  }
});
// Once all scripts are there that want to hear of it.
document.addEventListener("DOMContentLoaded", () => {
  const { path, typed } = JSON.parse(sessionStorage.getItem(TYPED) ?? "{}");
  sessionStorage.removeItem(TYPED);
  if (path !== location.pathname) return;
  const there = fields();
  for (const [place, value] of typed) {
    const one = there.get(place);
    if (!one || said(one) === value) continue;
    if (one.matches("select") && ![...one.options].some((option) => option.value === value)) continue;
    if (ticked(one)) one.checked = value; else one.value = value;
    const fold = one.closest("details:not([open])");
    if (fold) fold.open = true;
    one.dispatchEvent(new Event("input", { bubbles: true }));
  }
});
