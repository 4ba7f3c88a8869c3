import type { DiagnosticsDetectorStatusOutput } from '../../../client/misstep-client.generated.ts';
import { count, percent, pluralize } from '../../parts/amounts.ts';

type Subtype = DiagnosticsDetectorStatusOutput['items'][number]['subtypes'][number];
type Share = Subtype['left_out_healthy'];

/** Of fewer runs, a percentage says nothing. */
const MIN_RUNS = 5;

interface Counted {
  /** The counts, or the reason without counts. */
  counted: string;
  isMissing?: true;
}

/** In which share of the runs that could have it a subtype was found. */
export function foundShare(share: Share): Counted & { /** Null if too few runs were counted. */ rate: string | null } {
  if (share === null || share.could_fire === 0) return { rate: null, counted: 'no such runs', isMissing: true };
  const { fired, could_fire } = share;
  if (could_fire < MIN_RUNS) return { rate: null, counted: `${count(fired)} of ${pluralize(could_fire, 'run')}` };
  return { rate: percent(fired / could_fire, 1), counted: `${count(fired)} of ${count(could_fire)}` };
}

/** How many of the runs with a subtype failed. The share is meaningful only if healthy runs could have it too, and enough runs have it. */
export function failingShare({
  outcome_precision,
  left_out_healthy,
  left_out_failing,
}: Pick<Subtype, 'outcome_precision' | 'left_out_healthy' | 'left_out_failing'>): Counted & {
  value: number | null;
} {
  const healthy = left_out_healthy ?? { fired: 0, could_fire: 0 };
  const failing = left_out_failing ?? { fired: 0, could_fire: 0 };
  const missing = (counted: string) => ({ counted, value: null, isMissing: true }) as const;
  if (healthy.could_fire + failing.could_fire === 0) return missing('not measured');
  const fired = healthy.fired + failing.fired;
  if (fired === 0) return missing('in no run');
  const counted = `${count(failing.fired)} of ${pluralize(fired, 'run')}`;
  if (outcome_precision === null || healthy.could_fire === 0 || fired < MIN_RUNS) return { counted, value: null };
  return { counted, value: outcome_precision };
}
