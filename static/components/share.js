// A link that is handed to the device's own way of sharing, where it has one.
for (const button of document.querySelectorAll("[data-shares]")) {
  if (!navigator.share) continue;
  button.hidden = false;
  button.addEventListener("click", () => {
    const url = document.getElementById(button.dataset.shares).value;
    // Whoever thinks better of it has shared nothing, which is no error.
    navigator.share({ title: button.dataset.title, url }).catch(() => {});
  });
}
