import generated from './trail-head.generated.json' with { type: 'json' };
import type { TrailHead } from './trail-head.ts';

/** Weights written by `scripts/fit/trail.ts`. */
export const TRAIL_HEAD = generated as unknown as TrailHead;
