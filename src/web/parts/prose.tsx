import type { ComponentChildren } from 'preact';
import { visibleText } from './visible-text.ts';

/** A text of a detector. Names between backticks are shown as code. */
export function Prose({ text }: { text: string }) {
  return <>{proseParts(text).map(({ isCode, text: part }, index) => shown(part, isCode, index))}</>;
}

function shown(text: string, isCode: boolean, key: number): ComponentChildren {
  return isCode ? <code key={key}>{visibleText(text)}</code> : visibleText(text);
}

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
