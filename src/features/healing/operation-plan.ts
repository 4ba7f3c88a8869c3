import { createTwoFilesPatch, formatPatch, parsePatch, reversePatch } from 'diff';
import fastJsonPatch, { type Operation } from 'fast-json-patch';
import type { FixChange } from '../../core/detection.ts';
import type { HealingOperationTable } from '../../store/healing-tables.ts';

export interface PlanStep {
  step: number;
  description: string;
  format: FixChange['format'];
  patch: string;
  inverse: string | null;
}

/** The planned change and its inverse: the difference of known contents, otherwise the fix's description. */
export function planOf(
  { content_before: before, content_after: after, changes }: HealingOperationTable,
  target: string,
): PlanStep[] {
  if (before !== null && after !== null) {
    const description = `Change ${target}`;
    return [
      {
        step: 1,
        description,
        format: 'unified-diff',
        patch: difference(before, after),
        inverse: difference(after, before),
      },
    ];
  }
  return (JSON.parse(changes) as FixChange[]).map((change, index) => ({
    step: index + 1,
    description: `Change ${change.target}`,
    format: change.format,
    patch: change.after,
    inverse: inverseOf(change),
  }));
}

/** Texts with little in common are shown whole: comparing them line by line would take long. */
const MAX_EDITS = 2_000;

function difference(from: string, to: string): string {
  const options = { context: 3, maxEditLength: MAX_EDITS };
  return createTwoFilesPatch('before', 'after', from, to, undefined, undefined, options) ?? wholeReplacement(from, to);
}

function wholeReplacement(from: string, to: string): string {
  const lines = (text: string, sign: string) => text.replace(/\n$/, '').replaceAll(/^/gm, sign);
  return `--- before\n+++ after\n${lines(from, '-')}\n${lines(to, '+')}\n`;
}

/** Null if the previous content is unknown. */
function inverseOf({ format, before, after }: FixChange): string | null {
  if (before === null) return null;
  try {
    if (format === 'text') return before;
    if (format === 'unified-diff') return formatPatch(reversePatch(parsePatch(after)));
    const document = JSON.parse(before) as object;
    const operations = JSON.parse(after) as Operation[];
    const patched = fastJsonPatch.applyPatch(document, operations, true, false).newDocument;
    return JSON.stringify(fastJsonPatch.compare(patched, document));
  } catch {
    return null;
  }
}
