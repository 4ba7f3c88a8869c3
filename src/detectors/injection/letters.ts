/** Lower case of a code unit inside a word, every digit as 0; 0 for characters that are not part of a word. */
export function letterOf(unit: number): number {
  return unit < 0x460 ? LETTERS[unit]! : isMark(unit) ? 0 : unit;
}

/** Whether the letter joins its neighbours. Scripts without spaces give one token per character. */
export function isJoined(letter: number): boolean {
  return letter < 0x0e00 || (letter >= 0x0e80 && letter < 0x3040);
}

/** Whether the unit is punctuation of any script, or part of an emoji. */
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
