// The browser's time zone: proposed where none was chosen yet, and mentioned where dates are shown in another.
const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
const now = new Date();
const clock = zone => now.toLocaleString("en", { timeZone: zone });
for (const select of document.querySelectorAll("select[data-suggests]"))
  if ([...select.options].some(one => one.value === here)) select.value = here;
for (const note of document.querySelectorAll("[data-zone]"))
  note.hidden = clock(note.dataset.zone) === clock(here);
