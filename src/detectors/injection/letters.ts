/** Lower case of a code unit that is part of a word, every digit as 0; 0 for everything that is no part of one. */
export function letterOf(unit: number): number {
  return unit < 0x460 ? LETTERS[unit]! : isMark(unit) ? 0 : unit;
}

/** Scripts without blanks between words give a token a character. */
export function isJoined(letter: number): boolean {
  return letter < 0x0e00 || (letter >= 0x0e80 && letter < 0x3040);
}

/** Punctuation of all scripts and what stands for emoji. */
function isMark(unit: number): boolean {
  return (unit >= 0x2000 && unit < 0x2c00) || (unit >= 0x3000 && unit < 0x3040) || unit >= 0xd800 || unit === 0x964;
}

/** Latin, Greek and Cyrillic. */
const LETTERS = new Uint16Array(0x460);
for (let unit = 0xc0; unit < 0x460; unit += 1) {
  const lower = String.fromCharCode(unit).toLowerCase();
  LETTERS[unit] = lower.length === 1 ? lower.charCodeAt(0) : unit;
}
for (let unit = 97; unit <= 122; unit += 1) LETTERS[unit] = LETTERS[unit - 32] = unit;
for (let unit = 48; unit <= 57; unit += 1) LETTERS[unit] = 48;
LETTERS[95] = 95;
LETTERS[39] = 39;
LETTERS[0xd7] = LETTERS[0xf7] = 0;
