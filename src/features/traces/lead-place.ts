import type { Trace } from '../../core/trace.ts';
import { cut } from '../../detectors/_kit/text.ts';

const MAX_NAMES = 3;
const MAX_NAME_LENGTH = 60;

/** What the step did or its place in the run; null if it is an ordinary step in the middle of the run. */
export function placeOf({ steps, status }: Trace, index: number, isActor: (step: number) => boolean): string | null {
  const step = steps[index]!;
  const actors = steps.flatMap((other) => (isActor(other.index) ? [other.index] : []));
  const called = step.outputMessages.flatMap(({ toolCalls }) => toolCalls.map(({ name }) => name));
  if (called.length > 0) return `it called ${namesText([...new Set(called)])}`;
  if (index === actors.at(-1)) return status === 'error' ? 'the run failed after it' : 'it is the last step of the run';
  if (index === actors[0]) return 'the run began with it';
  return null;
}

function namesText(names: readonly string[]): string {
  const shown = names.slice(0, MAX_NAMES).map((name) => cut(name, MAX_NAME_LENGTH));
  const rest = names.length - shown.length;
  return `${shown.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}
