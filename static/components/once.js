// A form that makes something has a key, by which the server knows it when it arrives again. A press has a key of its own,
// made as it is pressed: the one in a page that was restored may be spent. What nobody answered may have been done all the
// same, so that it keeps its key when it is sent once more. The second click of a double one is none: whatever it sends would
// take the place of what the first one sent, and the answer to that is lost, with the session that may begin with it.
const KEY = "unanswered";
export const fresh = () => crypto.randomUUID?.() ?? "10000000-1000-4000-8000-100000000000".replace(/[018]/g, (digit) =>
  (digit ^ (crypto.getRandomValues(new Uint8Array(1))[0] & (15 >> (digit / 4)))).toString(16));
const restored = () => performance.getEntriesByType("navigation")[0]?.type === "back_forward";
// Whatever page came, it is the answer to what was sent before; the one that it was sent from is none.
if (!restored()) sessionStorage.removeItem(KEY);
let sent = new WeakSet();
window.addEventListener("pageshow", () => { sent = new WeakSet(); });
let clicks = 0;
window.addEventListener("click", ({ detail }) => { clicks = detail; }, true);
window.addEventListener("submit", (event) => {
  const form = event.target, field = form.elements.namedItem("_once");
  if (event.defaultPrevented || form.getAttribute("method") !== "post") return;
  if (sent.has(form)) {
    if (clicks > 1) event.preventDefault();
    // Pressed once more: the answer to this one leads to what the first one has made.
    if (clicks > 1 || !field || form.elements.namedItem("_twice")) return;
    const twice = document.createElement("input");
    [twice.type, twice.name, twice.value] = ["hidden", "_twice", "1"];
    form.append(twice);
    return;
  }
  sent.add(form);
  if (!field) return;
  form.elements.namedItem("_twice")?.remove();
  const to = `${event.submitter?.formAction || form.action} ${event.submitter?.value ?? ""}`;
  const last = JSON.parse(sessionStorage.getItem(KEY) ?? "{}");
  field.value = last.to === to ? last.key : fresh();
  sessionStorage.setItem(KEY, JSON.stringify({ to, key: field.value }));
});
