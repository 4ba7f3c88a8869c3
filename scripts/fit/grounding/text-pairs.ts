import { loadSet } from '../load-set.ts';

/** A text, its sources, and whether annotators found it unsupported. */
export interface TextPair {
  set: string;
  id: string;
  group: string;
  /** 1: something in the text is not supported. */
  label: 0 | 1;
  text: string;
  sources: string[];
}

/** Sets whose terms allow shipping weights fitted on them. */
export const TRAINING_SETS = ['begin', 'faithdial_audit', 'q2_wow', 'wice'] as const;
/** Measured only. */
export const MEASURED_SETS = ['faithbench', 'qags'] as const;

export function loadPairs(sets: readonly string[], data: string): TextPair[] {
  return sets.flatMap((set) =>
    loadSet(set, data)
      .filter(({ text, sources }) => text !== null && sources.length > 0)
      .map(({ id, group, text, sources, labels }) => ({
        set,
        id,
        group,
        label: labels.is_hallucination === true ? (1 as const) : (0 as const),
        text: text!,
        sources,
      })),
  );
}
