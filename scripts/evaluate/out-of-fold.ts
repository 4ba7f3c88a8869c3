import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Prediction } from '../../src/features/predictions/prediction.ts';
import type { LabelledRecord } from '../fit/load-set.ts';
import type { Case } from './cases.ts';
import type { Basis } from './figure.ts';

/** The parts of a prediction that a fitted piece gives. */
export interface Answers {
  injection: number;
  hallucination: number;
  failed: number;
  /** Steps count as in the record; `top` holds the likeliest steps, likeliest first. */
  attribution: { agent: string | null; step: number; top?: readonly number[] };
  trail: readonly { span_id: string; category: string }[];
}
export type PieceName = keyof Answers;

/**
 * What `scripts/fit/<piece>.ts` exports: for each record the answer of a model that was fitted without the record's
 * group (`outOfFold`), or without its whole set (`setLeftOut`). Records it does not fit on are left out of the map.
 */
export interface PieceModule<Answer> {
  outOfFold?(records: readonly LabelledRecord[]): Scores<Answer> | Promise<Scores<Answer>>;
  setLeftOut?(records: readonly LabelledRecord[]): Scores<Answer> | Promise<Scores<Answer>>;
}
export type Scores<Answer> = ReadonlyMap<string, Answer>;

interface Piece {
  module: string;
  /** Sets whose records the piece is asked about. */
  sets: readonly string[];
}

const INJECTION_SETS = [
  'notinject_injecguard',
  'bipia',
  'cyberseceval_pi',
  'giskard_pi',
  'agentdojo',
  'injecagent',
  'tau_bench',
  'swebench_miniswe',
];

export const PIECES: Readonly<Record<PieceName, Piece>> = {
  injection: { module: 'injection.ts', sets: INJECTION_SETS },
  hallucination: { module: 'grounding.ts', sets: ['begin', 'faithdial_audit', 'wice', 'q2_wow'] },
  failed: { module: 'failure-risk.ts', sets: ['tau_bench', 'swebench_miniswe', 'masft_ag2_runs', 'agentdojo'] },
  attribution: { module: 'attribution.ts', sets: ['whowhen', 'agentrx', 'agenterrorbench'] },
  trail: { module: 'trail-categories.ts', sets: ['trail'] },
};

/** No record of these may train a shipped weight, so nothing is in-sample there. */
export const MEASURE_ONLY: ReadonlySet<string> = new Set([
  'asb',
  'qualifire_jailbreak',
  'tensor_trust',
  'faithbench',
  'qags',
  'diahalu',
  'cdconv',
]);

export interface FittedAnswers {
  outOfFold: { [Name in PieceName]: Scores<Answers[Name]> };
  setLeftOut: { [Name in PieceName]: Scores<Answers[Name]> };
}

export function noAnswers(): FittedAnswers {
  const none = () => ({
    injection: new Map(),
    hallucination: new Map(),
    failed: new Map(),
    attribution: new Map(),
    trail: new Map(),
  });
  return { outOfFold: none(), setLeftOut: none() };
}

/** Fits every piece that is there anew; pieces that are not leave empty maps. */
export async function fitAnswers(
  load: (set: string) => LabelledRecord[],
  tell: (line: string) => void,
  folder = join(import.meta.dirname, '../fit'),
): Promise<FittedAnswers> {
  const answers = noAnswers();
  for (const name of Object.keys(PIECES) as PieceName[]) {
    const file = join(folder, PIECES[name].module);
    if (!existsSync(file)) {
      tell(`${name}: not fitted here, in-sample`);
      continue;
    }
    const piece = (await import(file)) as PieceModule<never>;
    const records = PIECES[name].sets.flatMap(load);
    Object.assign(answers.outOfFold, { [name]: (await piece.outOfFold?.(records)) ?? new Map() });
    Object.assign(answers.setLeftOut, { [name]: (await piece.setLeftOut?.(records)) ?? new Map() });
    tell(
      `${name}: ${answers.outOfFold[name].size} out of fold, ${answers.setLeftOut[name].size} with their set left out`,
    );
  }
  return answers;
}

/** The prediction with the answers of models that have not seen the record's group, where there are any. */
export function withFitted(prediction: Prediction, answers: FittedAnswers['outOfFold']): Prediction {
  const { id, scores } = prediction;
  const attribution = answers.attribution.get(id);
  const trail = answers.trail.get(id);
  return {
    ...prediction,
    scores: {
      injection: answers.injection.get(id) ?? scores.injection,
      hallucination: answers.hallucination.get(id) ?? scores.hallucination,
      failed: answers.failed.get(id) ?? scores.failed,
    },
    attribution:
      attribution === undefined ? prediction.attribution : { agent: attribution.agent, step: attribution.step },
    trail: trail === undefined ? prediction.trail : [...trail],
  };
}

/** The weakest basis among the cases of a figure. */
export function basisOf(cases: readonly Pick<Case, 'id' | 'set'>[], answers: Scores<unknown>): Basis {
  const open = cases.filter(({ id, set }) => !answers.has(id) && !MEASURE_ONLY.has(set));
  if (open.length > 0) return 'in-sample';
  return cases.every(({ set }) => MEASURE_ONLY.has(set)) ? 'never fitted' : 'out-of-fold';
}
