import type { Trace } from '../../core/trace.ts';

/** What a model may answer; anything else it says counts as `unsure`. */
export const VERDICTS = ['yes', 'no', 'unsure'] as const;
export type Verdict = (typeof VERDICTS)[number];

/** A text of the trace that the answer rests on. It is shown to the model as data, never as an instruction. */
export interface Material {
  /** What it is, in the detector's own words. */
  label: string;
  text: string;
}

/** What a model may be asked about one uncertain detection; one question a detection. */
export interface Question {
  /** Among the detector's questions about a trace. */
  id: string;
  about: DetectionKey;
  /** In the detector's own words, answered by yes or no. Nothing of the trace stands in it: that is `material`. */
  ask: string;
  material: readonly Material[];
  answers: readonly Verdict[];
}

/** Which detection of a detector: its identity inside the trace. */
export interface DetectionKey {
  subtype: string;
  /** The first of its steps. */
  step: number;
}

export interface Answer {
  verdict: Verdict;
  /** A short reason in the model's words: no more to be trusted than the trace. */
  reason: string;
  /** Name of the model that said it. */
  model: string;
}

export interface AnsweredQuestion extends Answer {
  question: Question;
}

/** What follows from an answer; how far it may move the detection is the engine's business (`second-opinion.ts`). */
export interface Conclusion {
  about: DetectionKey;
  /** `support`: the detection is real. `doubt`: it is a false alarm. */
  effect: 'support' | 'doubt';
}

/** Characters of all material of a question together: about 2,300 tokens, which the smallest local models take. */
export const MATERIAL_LIMIT = 9_000;

/** A question about this detection. Texts that are too long keep their beginning and their end. */
export function questionAbout(
  draft: { subtype: string; steps: readonly number[] },
  ask: string,
  material: readonly Material[],
): Question {
  const about = { subtype: draft.subtype, step: draft.steps[0]! };
  const limit = commonLimit(
    material.map(({ text }) => text.length),
    MATERIAL_LIMIT,
  );
  const shown = material.map(({ label, text }) => ({ label, text: withoutMiddle(text, limit) }));
  return { id: `${about.subtype} ${about.step}`, about, ask, material: shown, answers: VERDICTS };
}

/** For questions asked so that yes means a real fault and no a false alarm. */
export function yesSupports(_trace: Trace, answered: readonly AnsweredQuestion[]): Conclusion[] {
  return answered.flatMap(({ question, verdict }): Conclusion[] => {
    if (verdict === 'unsure') return [];
    return [{ about: question.about, effect: verdict === 'yes' ? 'support' : 'doubt' }];
  });
}

/** The length to which each text may grow so that all together stay within `total`: short ones leave room to long ones. */
export function commonLimit(lengths: readonly number[], total: number): number {
  let room = total;
  const rising = lengths.toSorted((one, other) => one - other);
  for (const [at, length] of rising.entries()) {
    const share = Math.floor(room / (rising.length - at));
    if (length > share) return share;
    room -= length;
  }
  return total;
}

/** The text, or its beginning and its end around a note of how much is omitted. Never splits a surrogate pair. */
export function withoutMiddle(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const half = Math.floor((limit - 50) / 2);
  const head = text.slice(0, half).replace(/[\uD800-\uDBFF]$/, '');
  const tail = text.slice(-half).replace(/^[\uDC00-\uDFFF]/, '');
  return `${head}\n[… ${text.length - head.length - tail.length} characters left out …]\n${tail}`;
}
