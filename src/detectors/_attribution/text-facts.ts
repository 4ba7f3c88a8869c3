/** Counts from one pass over the characters of a text; shares are of its length. */
export interface TextFacts {
  lines: number;
  digits: number;
  capitals: number;
  symbols: number;
  questions: number;
}

const [PLAIN, LINE, DIGIT, CAPITAL, QUESTION, SYMBOL] = [0, 1, 2, 3, 4, 5] as const;

export function textFacts(text: string): TextFacts {
  const counts = new Uint32Array(6);
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    counts[code < 128 ? CHARACTER_KINDS[code]! : code === 0xff1f ? QUESTION : PLAIN]! += 1;
  }
  const length = Math.max(1, text.length);
  return {
    lines: 1 + counts[LINE]!,
    digits: counts[DIGIT]! / length,
    capitals: counts[CAPITAL]! / length,
    symbols: counts[SYMBOL]! / length,
    questions: counts[QUESTION]!,
  };
}

const CHARACTER_KINDS = Uint8Array.from({ length: 128 }, (_, code) => {
  if (code === 10) return LINE;
  if (code >= 48 && code <= 57) return DIGIT;
  if (code >= 65 && code <= 90) return CAPITAL;
  if (code === 63) return QUESTION;
  return isSymbol(code) ? SYMBOL : PLAIN;
});

/** Whether a character is punctuation of code and markup, not of prose. */
function isSymbol(code: number): boolean {
  return (
    (code >= 91 && code <= 96) ||
    (code >= 123 && code <= 126) ||
    (code >= 60 && code <= 62) ||
    code === 40 ||
    code === 41
  );
}
