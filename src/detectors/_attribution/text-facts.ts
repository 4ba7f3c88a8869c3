/** What can be counted on a text in one pass over its characters; shares are of its length. */
export interface TextFacts {
  lines: number;
  digits: number;
  capitals: number;
  symbols: number;
  questions: number;
}

export function textFacts(text: string): TextFacts {
  let [lines, digits, capitals, symbols, questions] = [1, 0, 0, 0, 0];
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === 10) lines += 1;
    else if (code >= 48 && code <= 57) digits += 1;
    else if (code >= 65 && code <= 90) capitals += 1;
    else if (code === 63 || code === 0xff1f) questions += 1;
    else if (isSymbol(code)) symbols += 1;
  }
  const length = Math.max(1, text.length);
  return { lines, digits: digits / length, capitals: capitals / length, symbols: symbols / length, questions };
}

/** Punctuation of code and markup rather than of prose. */
function isSymbol(code: number): boolean {
  return (
    (code >= 91 && code <= 96) ||
    (code >= 123 && code <= 126) ||
    (code >= 60 && code <= 62) ||
    code === 40 ||
    code === 41
  );
}
