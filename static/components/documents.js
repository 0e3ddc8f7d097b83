// Files dropped anywhere on the page. The pages work without it.
const form = document.querySelector("form[data-drop]");
const file = form?.querySelector("input[type=file]");
if (file) {
  for (const help of form.querySelectorAll("[data-drop-help]")) help.hidden = false;
  const look = () => form.requestSubmit(form.querySelector("button[value=check]"));
  const carried = (event) => event.dataTransfer?.types.includes("Files");
  file.addEventListener("change", () => { if (file.files.length) look(); });
  document.addEventListener("dragover", (event) => {
    if (!carried(event)) return;
    event.preventDefault();
    form.classList.add("dropping");
  });
  document.addEventListener("dragleave", (event) => { if (!event.relatedTarget) form.classList.remove("dropping"); });
  document.addEventListener("drop", (event) => {
    if (!carried(event)) return;
    event.preventDefault();
    form.classList.remove("dropping");
    file.files = event.dataTransfer.files;
    if (file.files.length) look();
  });
}
