import { visibleText } from './visible-text.ts';

/** Untrusted text: escaped, and isolated from the text direction around it. */
export function PlainText({ text }: { text: string }) {
  return <bdi>{visibleText(text)}</bdi>;
}
