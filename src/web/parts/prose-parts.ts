export interface ProsePart {
  text: string;
  isCode: boolean;
}

/** The parts between and outside backticks. A backtick without a partner stays in the text. */
export function proseParts(text: string): ProsePart[] {
  return text
    .split(/(`[^`\n]+`)/)
    .filter((part) => part !== '')
    .map((part) =>
      /^`[^`\n]+`$/.test(part) ? { text: part.slice(1, -1), isCode: true } : { text: part, isCode: false },
    );
}

/** The text without the backticks around names, where code cannot be shown: in the title of the document, in a label. */
export function withoutBackticks(text: string): string {
  return proseParts(text)
    .map((part) => part.text)
    .join('');
}

const SENTENCES = /^[A-Z][^\n]*[.!?]$/;
const MAX_PROSE_LENGTH = 1_000;

/** Whether a proposed text is written in sentences, unlike code. */
export function isProse(text: string): boolean {
  return text.length <= MAX_PROSE_LENGTH && SENTENCES.test(text) && text.includes(' ');
}
