// Words beside the rolls of a turn stay in this tab until the turn is over; rolls that came since join them.
const post = document.getElementById("post-text");
if (post) {
  const key = post.dataset.kept, given = post.defaultValue;
  const kept = JSON.parse(sessionStorage.getItem(key) ?? "null");
  if (kept?.text.includes(kept.given)) post.value = kept.text.replace(kept.given, () => given);
  else if (kept) {
    const known = new Set(kept.given.split("\n"));
    post.value = [kept.text, ...given.split("\n").filter((line) => !known.has(line))].join("\n");
  }
  post.addEventListener("input", () => sessionStorage.setItem(key, JSON.stringify({ given, text: post.value })));
}
