import type { Trace } from '../../core/trace.ts';

/** Answers that a model can give; anything else counts as `unsure`. */
export const VERDICTS = ['yes', 'no', 'unsure'] as const;
export type Verdict = (typeof VERDICTS)[number];

/** A text of the trace that the answer is based on. The model receives it as data, never as an instruction. */
export interface Material {
  /** Description of the text, from the detector. */
  label: string;
  text: string;
}

/** A question for a model about one uncertain detection; one question per detection. */
export interface Question {
  /** Unique among the detector's questions about a trace. */
  id: string;
  about: DetectionKey;
  /** A yes/no question, written by the detector. It contains no text of the trace; that is in `material`. */
  ask: string;
  material: readonly Material[];
  answers: readonly Verdict[];
}

/** Identity of a detection within its detector and trace. */
export interface DetectionKey {
  subtype: string;
  /** The first step of the detection. */
  step: number;
}

export interface Answer {
  verdict: Verdict;
  /** A short reason, written by the model: as untrusted as the trace. */
  reason: string;
  /** Name of the model that answered. */
  model: string;
}

export interface AnsweredQuestion extends Answer {
  question: Question;
}

/** Effect of an answer. The engine limits how far it moves the detection (`second-opinion.ts`). */
export interface Conclusion {
  about: DetectionKey;
  /** `support`: the detection is real. `doubt`: it is a false alarm. */
  effect: 'support' | 'doubt';
}

/** Limit for the characters of all material of a question: about 2,300 tokens, which the smallest local models accept. */
export const MATERIAL_LIMIT = 9_000;

/** A question about this detection. Long texts keep their beginning and end. */
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

/** Conclusion for questions in which yes means a real fault and no a false alarm. */
export function yesSupports(_trace: Trace, answered: readonly AnsweredQuestion[]): Conclusion[] {
  return answered.flatMap(({ question, verdict }): Conclusion[] => {
    if (verdict === 'unsure') return [];
    return [{ about: question.about, effect: verdict === 'yes' ? 'support' : 'doubt' }];
  });
}

/** The length limit per text that keeps all texts together within `total`. Short texts leave room for long ones. */
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

/** The text, or its beginning and end around a note of the omitted length. Never splits a surrogate pair. */
export function withoutMiddle(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const half = Math.floor((limit - 50) / 2);
  const head = text.slice(0, half).replace(/[\uD800-\uDBFF]$/, '');
  const tail = text.slice(-half).replace(/^[\uDC00-\uDFFF]/, '');
  return `${head}\n[… ${text.length - head.length - tail.length} characters left out …]\n${tail}`;
}
