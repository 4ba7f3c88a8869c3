import { textsAmong } from '../_readings/calls/argument-roles.ts';
import type { ToolUse } from '../_readings/calls/calls.ts';

/** Names that results list and that no call requested. */
export interface OfferedNames {
  /** In turn from each result. */
  names: readonly string[];
  steps: readonly number[];
}

const MAX_RESULT_LENGTH = 1_000;
const MIN_NAMES = 2;
/** Quoted items of a list. */
const ITEM = /["']([^"'\n]{2,80})["'](?=\s{0,4}[,\]])/g;

/** @param uses calls whose results say that nothing was found */
export function offeredNames(uses: readonly ToolUse[], all: readonly ToolUse[]): OfferedNames | null {
  const requested = new Set(all.flatMap(requestedTexts));
  const lists = uses
    .filter(({ resultText }) => resultText.length <= MAX_RESULT_LENGTH)
    .map(({ step, resultText }) => ({ step, names: itemsIn(resultText) }))
    .filter(({ names }) => names.length >= MIN_NAMES)
    .map(({ step, names }) => ({ step, names: names.filter((name) => !requested.has(name.toLowerCase())) }));
  const names = new Set<string>();
  const steps = new Set<number>();
  for (let at = 0; lists.some((list) => at < list.names.length); at += 1)
    for (const { step, names: own } of lists) {
      const name = own[at];
      if (name === undefined || names.has(name)) continue;
      names.add(name);
      steps.add(step);
    }
  return names.size === 0 ? null : { names: [...names], steps: [...steps].sort((a, b) => a - b) };
}

function requestedTexts({ arguments: args }: ToolUse): string[] {
  return (typeof args === 'string' ? [args] : textsAmong(args)).map((text) => text.trim().toLowerCase());
}

/** The items of the last list in a text. */
function itemsIn(text: string): string[] {
  const list = text.slice(text.lastIndexOf('[') + 1);
  return text.includes('[') ? [...list.matchAll(ITEM)].map(([, name]) => name!) : [];
}
