// A number as people write it: any dash stands for a minus, as on the server (MINUS of rulesets/kit/words.py).
const MINUS = /[\u2010-\u2015\u2212\u207b\ufe58\ufe63\uff0d]/g;
export const plain = (text) => text.replace(MINUS, "-").trim().replace(/^([+-])\s/, "$1");
export const number = (text) => Number(plain(text) || 0);
