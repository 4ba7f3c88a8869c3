const FENCE = /```[\w+#-]{0,20}[ \t]{0,4}\n([\s\S]*?)(?:```|$)/g;

/** The fenced code blocks of a text, in order. */
export function codeBlocks(text: string): string[] {
  if (!text.includes('```')) return [];
  return [...text.matchAll(FENCE)].map(([, code]) => code!.trim());
}

/** The fenced code blocks of a text, joined. */
export function codeIn(text: string): string {
  return codeBlocks(text).join('\n');
}

/** A text without its fenced code blocks. */
export function withoutCode(text: string): string {
  return text.includes('```') ? text.replace(FENCE, '') : text;
}
