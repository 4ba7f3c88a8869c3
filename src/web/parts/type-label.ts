import { visibleText } from './visible-text.ts';

/** The label of a detection type and its subtype: `state corruption · field vanished`. */
export function typeLabel(...parts: string[]): string {
  return visibleText(parts.map((part) => part.replaceAll('_', ' ')).join(' · '));
}
