import type { Detection } from '../../core/detection.ts';
import { SEVERITIES } from '../../core/severity.ts';
import type { Trace } from '../../core/trace.ts';
import { stepsBySpan } from '../_kit/step-of-span.ts';

/** Two kinds that state one fact if they are about the same agents at the same steps. The first says more. */
const PAIRS: readonly (readonly [precise: string, general: string])[] = [
  ['coordination/handoff_ping_pong', 'loop/cyclic'],
];
/** Minimum share of the steps of the precise detection that lie between the first and the last step of the other. */
const MIN_SHARE = 0.5;

/** The detections without those that state the fact of another one again. Of two severities, the worse one is kept. */
export function withoutSameFact(trace: Trace, detections: readonly Detection[]): Detection[] {
  const dropped = new Set<Detection>();
  for (const [precise, general] of PAIRS)
    for (const one of detections.filter((each) => kindOf(each) === precise))
      for (const other of detections.filter((each) => kindOf(each) === general))
        if (isSameFact(trace, one, other)) dropped.add(isWorse(other, one) ? one : other);
  return detections.filter((detection) => !dropped.has(detection));
}

function kindOf({ type, subtype }: Detection): string {
  return `${type}/${subtype}`;
}

function isWorse(one: Detection, other: Detection): boolean {
  return SEVERITIES.indexOf(one.severity) < SEVERITIES.indexOf(other.severity);
}

function isSameFact(trace: Trace, one: Detection, other: Detection): boolean {
  const steps = stepsBySpan(trace);
  const [own, others] = [one, other].map(({ spanIds }) => spanIds.flatMap((spanId) => steps.get(spanId) ?? []));
  if (own!.length === 0 || others!.length === 0) return false;
  const [first, last] = [Math.min(...others!) - 1, Math.max(...others!)];
  // A handoff inside the last turn follows the step that begins the turn.
  const end = trace.steps.findLast(({ parent }) => parent === last)?.index ?? last + 1;
  const inside = own!.filter((step) => step >= first && step <= end).length;
  return inside >= MIN_SHARE * own!.length && haveSameActors(trace, own!, others!);
}

function haveSameActors({ steps }: Trace, one: readonly number[], other: readonly number[]): boolean {
  const [own, others] = [one, other].map((all) => new Set(all.map((at) => steps[at]!.agent ?? steps[at]!.node)));
  return [...others!].every((actor) => own!.has(actor));
}
