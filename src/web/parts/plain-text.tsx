import { visibleText } from './visible-text.ts';

/** A text of the data: shown as it is, without effect on the direction or the markup around it. */
export function PlainText({ text }: { text: string }) {
  return <bdi>{visibleText(text)}</bdi>;
}
