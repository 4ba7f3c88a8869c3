/** Letters alone, or a number as it is written: the tokens that can be found without reading the whole text. */
const PLAIN = /^(?:[A-Za-z]{3,}|\d+(?:[.,]\d+)*)$/;

/**
 * A quick look whether texts hold a word or number as a token of its own, so that `indexSources` would know its key. Yes is
 * sure; no may only mean that it takes a closer look. @param lowerTexts in lower case
 */
export function isPlainlyStated(raw: string, lowerTexts: readonly string[]): boolean {
  if (!PLAIN.test(raw)) return false;
  const word = raw.toLowerCase();
  const isApart = isDigit(word.charCodeAt(0)) ? isNumberApart : isWordApart;
  return lowerTexts.some((text) => {
    for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1))
      if (isApart(text, at, at + word.length)) return true;
    return false;
  });
}

/** A contraction after it (`Ann's`) changes nothing: the key is that of the word before it. */
function isWordApart(text: string, start: number, end: number): boolean {
  return isGap(text.charCodeAt(start - 1)) && isGap(text.charCodeAt(end));
}

/** Points and commas join digits, also where they are set apart (`1 , 200`). */
function isNumberApart(text: string, start: number, end: number): boolean {
  if (!isWordApart(text, start, end)) return false;
  const [before, after] = [text.slice(Math.max(0, start - 3), start), text.slice(end, end + 3)];
  return !/(?:\d[.,]| , | \. )$/.test(before) && !/^(?:[.,]\d| , | \. )/.test(after);
}

/** An ASCII sign that is neither letter nor digit, or an end of the text: what else there is may join. */
function isGap(unit: number): boolean {
  if (Number.isNaN(unit)) return true;
  return unit < 128 && !isDigit(unit) && !(unit >= 97 && unit <= 122);
}

function isDigit(unit: number): boolean {
  return unit >= 48 && unit <= 57;
}
