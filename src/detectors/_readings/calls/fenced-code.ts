const FENCE = /```([\w+#-]{0,20})[ \t]{0,4}\n([\s\S]*?)(```|$)/g;

export interface FencedBlock {
  /** In lower case; empty if none is given. */
  language: string;
  code: string;
  /** False for a block that reaches to the end of the text. */
  isClosed: boolean;
}

/** The fenced code blocks of a text, in order. */
export function fencedBlocks(text: string): FencedBlock[] {
  if (!text.includes('```')) return [];
  return [...text.matchAll(FENCE)].map(([, language, code, end]) => ({
    language: language!.toLowerCase(),
    code: code!.trim(),
    isClosed: end !== '',
  }));
}

/** The code of the fenced blocks of a text, in order. */
export function codeBlocks(text: string): string[] {
  return fencedBlocks(text).map(({ code }) => code);
}

/** The fenced code blocks of a text, joined. */
export function codeIn(text: string): string {
  return codeBlocks(text).join('\n');
}

/** A text without its fenced code blocks. */
export function withoutCode(text: string): string {
  return text.includes('```') ? text.replace(FENCE, '') : text;
}
