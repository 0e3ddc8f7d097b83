// Texts that are copied by a press; what a swap brings anew copies as well.
document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copies]");
  if (!button) return;
  const text = document.getElementById(button.dataset.copies);
  text.select();
  try {
    await navigator.clipboard.writeText(text.value);
    button.textContent = button.dataset.done;
  } catch {
    // It stays selected, for the keyboard to copy it.
  }
});
