import { z } from 'zod';
import { DETECTION_TYPES, type DetectionType } from '../../core/detection.ts';
import type { Json } from '../../core/json.ts';

/** A person's label of one run or text; null members are unlabelled. */
export interface OwnLabels {
  failed: boolean | null;
  /** Faults that it contains, as names of detectors. */
  types: readonly DetectionType[] | null;
  /** Faults that were checked; others are unknown. */
  judgedTypes: readonly DetectionType[];
  isInjection: boolean | null;
  isHallucination: boolean | null;
  mistakeStep: number | null;
  mistakeAgent: string | null;
}

const names = z
  .array(
    z.enum(DETECTION_TYPES, {
      error: ({ input }) => `no detector ${JSON.stringify(input)}; there are ${DETECTION_TYPES.join(', ')}`,
    }),
  )
  .nullish();
const flag = z.boolean('must be true or false').nullish();

const shape = z.object(
  {
    failed: flag,
    reward: z.number('must be a number').nullish(),
    types: names,
    judged_types: names,
    is_injection: flag,
    is_hallucination: flag,
    mistake_step: z.int('must be a whole number').min(0, 'counts from 0').nullish(),
    mistake_agent: z.string('must be a string').nullish(),
  },
  'labels must be an object',
);

/**
 * Labels as a user writes them; unknown members are ignored, because data sets have many. If `failed`
 * is missing, a `reward` below 1 replaces it.
 *
 * @returns the labels, or the problem
 */
export function readOwnLabels(value: Json): OwnLabels | string {
  const parsed = shape.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return `${['labels', ...issue!.path].join('.')}: ${issue!.message}`;
  }
  const { failed, reward, types, judged_types, is_injection, is_hallucination, mistake_step, mistake_agent } =
    parsed.data;
  const unjudged = types?.filter((type) => judged_types && !judged_types.includes(type)) ?? [];
  if (unjudged.length > 0) return `labels.types: ${unjudged.join(', ')} is missing in judged_types`;
  return {
    failed: failed ?? (typeof reward === 'number' ? reward < 1 : null),
    types: types ?? (judged_types ? [] : null),
    judgedTypes: judged_types ?? (types ? DETECTION_TYPES : []),
    isInjection: is_injection ?? null,
    isHallucination: is_hallucination ?? null,
    mistakeStep: mistake_step ?? null,
    mistakeAgent: mistake_agent ?? null,
  };
}
