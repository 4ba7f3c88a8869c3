const FENCE = /```[\w+#-]{0,20}[ \t]{0,4}\n([\s\S]*?)(?:```|$)/g;

/** The fenced code blocks of a text, joined. */
export function codeIn(text: string): string {
  if (!text.includes('```')) return '';
  return [...text.matchAll(FENCE)].map(([, code]) => code!.trim()).join('\n');
}
