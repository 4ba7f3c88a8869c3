import type { ComponentChildren } from 'preact';
import { proseParts } from './prose-parts.ts';
import { visibleText } from './visible-text.ts';

/** A text of a detector. Names between backticks are shown as code. */
export function Prose({ text }: { text: string }) {
  return <>{proseParts(text).map(({ isCode, text: part }, index) => shown(part, isCode, index))}</>;
}

function shown(text: string, isCode: boolean, key: number): ComponentChildren {
  return isCode ? <code key={key}>{visibleText(text)}</code> : visibleText(text);
}
