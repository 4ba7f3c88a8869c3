/** Only letters, or a number as written: the tokens that can be found without tokenizing the whole text. */
const PLAIN = /^(?:[A-Za-z]{3,}|\d+(?:[.,]\d+)*)$/;

/**
 * A quick test whether texts contain a word or number as a separate token, so that `indexSources` would have its key. True
 * is certain; false only means that the full index must decide. @param lowerTexts in lower case
 */
export function isPlainlyStated(raw: string, lowerTexts: readonly string[]): boolean {
  if (!PLAIN.test(raw)) return false;
  const word = raw.toLowerCase();
  const isWhole = isDigit(word.charCodeAt(0)) ? isWholeNumber : isWholeWord;
  return lowerTexts.some((text) => {
    for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1))
      if (isWhole(text, at, at + word.length)) return true;
    return false;
  });
}

/** Whether the match is a whole word. A contraction after it (`Ann's`) does not change the key. */
function isWholeWord(text: string, start: number, end: number): boolean {
  return isGap(text.charCodeAt(start - 1)) && isGap(text.charCodeAt(end));
}

/** Whether the match is a whole number. Points and commas join digits, also with spaces (`1 , 200`). */
function isWholeNumber(text: string, start: number, end: number): boolean {
  if (!isWholeWord(text, start, end)) return false;
  const [before, after] = [text.slice(Math.max(0, start - 3), start), text.slice(end, end + 3)];
  return !/(?:\d[.,]| , | \. )$/.test(before) && !/^(?:[.,]\d| , | \. )/.test(after);
}

/** An ASCII symbol that is neither letter nor digit, or an end of the text. Any other character may continue the token. */
function isGap(unit: number): boolean {
  if (Number.isNaN(unit)) return true;
  return unit < 128 && !isDigit(unit) && !(unit >= 97 && unit <= 122);
}

function isDigit(unit: number): boolean {
  return unit >= 48 && unit <= 57;
}
