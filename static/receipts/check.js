// Checks a receipt as docs/receipts.md says, by WebCrypto and without asking the server whether it holds.
"use strict";
const bytes = (text) => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (one) => one.charCodeAt(0));
const hash = async (data) => new Uint8Array(await crypto.subtle.digest("SHA-256", data));
const base64url = (data) => btoa(String.fromCharCode(...data)).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
const PREFIX = "30820122300d06092a864886f70d01010105000382010f003082010a0282010100";
const RSA = { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" };
const text = new TextEncoder();

// As RFC 8785 orders and writes it, for what receipts hold: objects, lists, texts, whole numbers, true, false, null.
export function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  return `{${Object.keys(value).sort().map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`).join()}}`;
}

function smallFactor(modulus) {
  const sieve = new Uint8Array(65536);
  for (let number = 2; number < 65536; number++) {
    if (sieve[number]) continue;
    for (let many = number * number; many < 65536; many += number) sieve[many] = 1;
    let rest = 0;
    for (const byte of modulus) rest = (rest * 256 + byte) % number;
    if (rest === 0) return true;
  }
  return false;
}

async function goodKey(key) {
  if (key.ended === "leaked" || !Array.isArray(key.proof) || key.proof.length !== 8) return null;
  const der = bytes(key.spki), hex = [...der.slice(0, 33)].map((one) => one.toString(16).padStart(2, "0")).join("");
  const modulus = der.slice(33, 289);
  if (der.length !== 294 || hex !== PREFIX || String([...der.slice(289)]) !== "2,3,1,0,1") return null;
  if (modulus[0] < 128 || smallFactor(modulus) || base64url(await hash(der)) !== key.id) return null;
  const made = await crypto.subtle.importKey("spki", der, RSA, false, ["verify"]);
  const proofs = key.proof.map((one, n) => signed(made, one, `bogenschmiede.key.v1\n${key.id}\n${n}`));
  return (await Promise.all(proofs)).every(Boolean) ? made : null;
}

async function signed(key, signature, message) {
  const data = bytes(signature);
  return data.length === 256 && base64url(data) === signature && crypto.subtle.verify(RSA, key, data, text.encode(message));
}

async function* words(signature) {
  for (let block = 0; ; block++) {
    const data = new Uint8Array(signature.length + 4);
    data.set(signature);
    new DataView(data.buffer).setUint32(signature.length, block);
    const view = new DataView((await hash(data)).buffer);
    for (let at = 0; at < 32; at += 4) yield view.getUint32(at);
  }
}

async function diceFit(dice, kept, signature) {
  const source = words(signature);
  for (const [place, one] of dice.entries()) {
    if (one.kept && kept.includes(place)) continue;
    const faces = one.last - one.first + 1, limit = Math.floor(2 ** 32 / faces) * faces;
    if (!(faces >= 1 && faces <= 2 ** 32)) return false;
    let word;
    do word = (await source.next()).value; while (word >= limit);
    if (one.first + word % faces !== one.face) return false;
  }
  return true;
}

export async function proved(receipt, key) {
  try {
    return await holds(receipt, key);
  } catch {
    // What is shaped otherwise than a receipt or a key proves nothing.
    return false;
  }
}

async function holds(receipt, key) {
  if (!/^[A-Za-z0-9_-]{21}[AQgw]$/.test(receipt.nonce ?? "") || receipt.key !== key.id) return false;
  const made = await goodKey(key);
  const message = ["bogenschmiede.roll.v1", receipt.key, receipt.log, receipt.number, receipt.nonce, canonical(receipt.rolled)];
  return made !== null && await signed(made, receipt.signature, message.join("\n")) &&
    diceFit(receipt.dice, receipt.rolled.kept ?? [], bytes(receipt.signature));
}

// A receipt, or {receipts: [...]}, with keys as rolls/keys.json answers them.
export async function allProved(answer, keys) {
  // Dice thrown by hand are never proved; the page marks them.
  const receipts = (answer.receipts ?? [answer]).filter((one) => !one.by_hand);
  const found = await Promise.all(receipts.map((one) => proved(one, keys.find((key) => key.id === one.key))));
  return found.length > 0 && found.every(Boolean);
}

const check = document.getElementById("check");
function tell(state) {
  for (const one of check.querySelectorAll("[data-state]")) one.hidden = one.dataset.state !== state;
}
if (check?.dataset.receipt) {
  try {
    const [receipt, { keys }] = await Promise.all([check.dataset.receipt, check.dataset.keys].map(
      async (address) => (await fetch(address)).json()));
    tell(!crypto.subtle ? "unable" : await allProved(receipt, keys) ? "proved" : "refused");
  } catch {
    tell("unable");
  }
}
for (const link of document.querySelectorAll('a[href="#how"]')) {
  link.addEventListener("click", () => { document.getElementById("how").open = true; });
}
