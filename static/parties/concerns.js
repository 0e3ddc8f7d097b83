// What waits for whoever looks is said in the page's title, and by a quiet sound for those who want one.
const title = document.title;
const CONCERNS = "#landings li:has([id^=apply-], [id^=respond-]), #landings .asked li, #handouts li [id], .your-turn";
const waiting = () => [...document.querySelectorAll(CONCERNS)].map((one) => one.id);
let known = waiting();
const wanted = () => localStorage.getItem("table-sound") === "on";
document.addEventListener("change", ({ target }) => {
  if (target.id !== "sound") return;
  localStorage.setItem("table-sound", target.checked ? "on" : "off");
  if (target.checked) sound();
});
let audio;
const sound = () => {
  audio ??= new AudioContext();
  const [tone, volume, now] = [audio.createOscillator(), audio.createGain(), audio.currentTime];
  tone.frequency.setValueAtTime(523, now);
  tone.frequency.setValueAtTime(659, now + 0.12);
  volume.gain.setValueAtTime(0.06, now);
  volume.gain.exponentialRampToValueAtTime(0.001, now + 0.5);
  tone.connect(volume).connect(audio.destination);
  tone.start(now);
  tone.stop(now + 0.5);
};
const look = () => {
  const there = waiting(), turn = document.getElementById("your-turn")?.textContent, rest = there.length - (turn ? 1 : 0);
  document.title = [rest ? `(${rest})` : "", turn ? `${turn} ·` : "", title].filter(Boolean).join(" ");
  if (wanted() && there.some((one) => !known.includes(one))) sound();
  known = there;
  document.getElementById("sound").checked = wanted();
};
look();
new MutationObserver(look).observe(document.getElementById("main"), { childList: true, subtree: true });
