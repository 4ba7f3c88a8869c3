import { visibleText } from './visible-text.ts';

/** `state_corruption · field_vanished` in words. */
export function kindWords(...parts: string[]): string {
  return visibleText(parts.map((part) => part.replaceAll('_', ' ')).join(' · '));
}
