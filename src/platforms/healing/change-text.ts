import { applyPatch, parsePatch } from 'diff';
import type { Change } from './executor.ts';
import { rejectChange } from './reject-change.ts';

/**
 * The text with the changes applied in order: a unified diff must apply without fuzz, and the passage that a text change
 * replaces must occur exactly once.
 * @throws AppError `invalid_body`
 */
export function changeText(text: string, changes: readonly Change[]): string {
  return changes.reduce((changed, change, place) => changeOnce(changed, change, place), text);
}

/** @throws AppError `invalid_body` that names the change by `place` */
export function changeOnce(text: string, change: Change, place: number): string {
  if (change.format === 'json-patch') rejectChange(place, 'is a JSON Patch, but the current content is text');
  return change.format === 'text' ? replacePassage(text, change, place) : applyDiff(text, change, place);
}

function replacePassage(text: string, { before, after }: Change, place: number): string {
  if (before === null || before === '')
    rejectChange(place, 'does not say where to write: give `before` or a unified diff, or change it manually');
  const at = text.indexOf(before);
  if (at === -1) rejectChange(place, 'the text to replace was not found');
  if (text.indexOf(before, at + 1) !== -1) rejectChange(place, 'the text to replace occurs more than once');
  return text.slice(0, at) + after + text.slice(at + before.length);
}

function applyDiff(text: string, { after }: Change, place: number): string {
  const result = isOneFile(after) ? applyPatch(text, after) : rejectChange(place, 'is not a unified diff of one file');
  return result === false ? rejectChange(place, 'the diff does not apply to the current content') : result;
}

function isOneFile(diff: string): boolean {
  try {
    const files = parsePatch(diff);
    return files.length === 1 && files[0]!.hunks.length > 0;
  } catch {
    return false;
  }
}
