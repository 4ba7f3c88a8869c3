import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Prediction } from '../../src/features/predictions/prediction.ts';
import { RECORD_SETS } from '../fit/injection/record-sets.ts';
import type { LabelledRecord } from '../fit/load-set.ts';
import { cachedOr } from './cached-fits.ts';
import type { Case } from './cases.ts';
import { codeDigest } from './code-digest.ts';
import type { Basis } from './figure.ts';

/** The parts of a prediction that a fitted model gives. */
export interface Answers {
  injection: number;
  hallucination: number;
  attribution: NamedStep & {
    /** What models of other foldings name: with so few records one folding moves a figure by several of them. */
    others?: readonly NamedStep[];
  };
  trail: readonly { span_id: string; category: string }[];
  /** Of the detections whose confidence is fitted; `span_id` is the first of the detection. */
  confidence: readonly { type: string; subtype: string; span_id: string; confidence: number }[];
}
/** Steps count as in the record; `top` holds the likeliest steps, likeliest first. */
export interface NamedStep {
  agent: string | null;
  step: number;
  top?: readonly number[];
}

export type PieceName = keyof Answers;

export type Scores<Answer> = ReadonlyMap<string, Answer>;

/**
 * What a piece's fit gives, by record id: the answer of a model that was fitted without the record's group
 * (`outOfFold`), and of one fitted without its whole set (`setLeftOut`), which is used for both if it is the only one.
 * Records it says nothing on are left out.
 */
export interface HeldOut<Answer> {
  outOfFold?: Scores<Answer>;
  setLeftOut?: Scores<Answer>;
}

/** A fitted model: the file that fits it, and how to call that file. */
interface Piece<Answer> {
  module: string;
  ask(module: PieceModule<Answer>, load: LoadSet, data: string): HeldOut<Answer> | Promise<HeldOut<Answer>>;
}
type LoadSet = (set: string) => LabelledRecord[];

interface PieceModule<Answer> {
  outOfFold?(records: readonly LabelledRecord[]): Scores<Answer> | Promise<Scores<Answer>>;
  setLeftOut?(records: readonly LabelledRecord[]): Scores<Answer> | Promise<Scores<Answer>>;
}

/** Attacks, and every kind of ordinary text that the model must leave alone. */
const INJECTION_SETS = [...RECORD_SETS, 'begin', 'faithdial_audit', 'wice', 'q2_wow', 'halueval'];

/** Runs whose outcome is known. */
export const RUN_SETS = ['tau_bench', 'swebench_miniswe', 'masft_ag2_runs', 'agentdojo'];

export const PIECES: { readonly [Name in PieceName]: Piece<Answers[Name]> } = {
  hallucination: {
    module: 'grounding.ts',
    ask: (piece, _, data) => groundingAnswers(piece as unknown as GroundingModule, data),
  },
  confidence: plainPiece('calibration.ts', RUN_SETS),
  attribution: plainPiece('attribution.ts', ['whowhen', 'agentrx', 'agenterrorbench']),
  trail: {
    module: 'trail.ts',
    ask: async (_, __, data) => (await import('./trail-answers.ts')).trailAnswers(data),
  },
  // Last, because it takes longest.
  injection: plainPiece('injection.ts', INJECTION_SETS),
};

/** Its held-out scores are of models that have not seen the record's set at all. */
interface GroundingModule {
  outOfFold(data: string): readonly { id: string; score: number }[];
}

function groundingAnswers({ outOfFold }: GroundingModule, data: string): HeldOut<number> {
  return { setLeftOut: new Map(outOfFold(data).map(({ id, score }) => [id, score])) };
}

/** A file that exports `outOfFold(records)` and perhaps `setLeftOut(records)`. */
function plainPiece<Answer>(module: string, sets: readonly string[]): Piece<Answer> {
  return {
    module,
    async ask(piece, load) {
      const records = sets.flatMap(load);
      return { outOfFold: await piece.outOfFold?.(records), setLeftOut: await piece.setLeftOut?.(records) };
    },
  };
}

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
    attribution: new Map(),
    trail: new Map(),
    confidence: new Map(),
  });
  return { outOfFold: none(), setLeftOut: none() };
}

/** Refits every model part that exists; missing parts give empty maps. */
export async function fitAnswers(
  load: LoadSet,
  data: string,
  log: (line: string) => void,
  { folder = join(import.meta.dirname, '../fit'), kept }: { folder?: string; kept?: string } = {},
): Promise<FittedAnswers> {
  const answers = noAnswers();
  for (const name of Object.keys(PIECES) as PieceName[]) {
    const code = kept === undefined ? '' : codeOf(name, folder);
    const make = () => heldOut(name, load, data, folder);
    const held = await cachedOr(kept, { name, code }, make).catch((error: Error) => error);
    if (held === null) log(`${name}: no fit found, in-sample`);
    else if (held instanceof Error) log(`${name}: could not be fitted, in-sample: ${held.message}`);
    else {
      const setLeftOut = held.setLeftOut ?? new Map();
      Object.assign(answers.setLeftOut, { [name]: setLeftOut });
      Object.assign(answers.outOfFold, { [name]: held.outOfFold ?? setLeftOut });
      log(`${name}: ${held.outOfFold?.size ?? 0} out of fold, ${held.setLeftOut?.size ?? 0} with their set left out`);
    }
  }
  return answers;
}

function codeOf(name: PieceName, folder: string): string {
  const file = join(folder, PIECES[name].module);
  return existsSync(file) ? codeDigest([file, import.meta.filename]) : '';
}

async function heldOut(name: PieceName, load: LoadSet, data: string, folder: string): Promise<HeldOut<unknown> | null> {
  const piece = PIECES[name] as Piece<unknown>;
  const file = join(folder, piece.module);
  return existsSync(file) ? piece.ask((await import(file)) as PieceModule<unknown>, load, data) : null;
}

/** The prediction with the answers of models that have not seen the record's group, where there are any. */
export function withFitted(prediction: Prediction, answers: FittedAnswers['outOfFold']): Prediction {
  const { id, scores } = prediction;
  const attribution = answers.attribution.get(id);
  const trail = answers.trail.get(id);
  return {
    ...prediction,
    detections: withConfidence(prediction.detections, answers.confidence.get(id) ?? []),
    scores: {
      injection: answers.injection.get(id) ?? scores.injection,
      hallucination: scores.hallucination === null ? null : (answers.hallucination.get(id) ?? scores.hallucination),
      failed: scores.failed,
    },
    attribution:
      attribution === undefined ? prediction.attribution : { agent: attribution.agent, step: attribution.step },
    trail: trail === undefined ? prediction.trail : [...trail],
  };
}

/** Severity is as shipped: only values that are compared with labels are replaced. */
export function withConfidence(
  detections: Prediction['detections'],
  answers: Answers['confidence'],
): Prediction['detections'] {
  return detections.map((detection) => {
    const { type, subtype, span_ids: spanIds } = detection;
    const answer = answers.find(
      (one) => one.type === type && one.subtype === subtype && spanIds[0] === one.span_id && !isObservation(detection),
    );
    return answer === undefined ? detection : { ...detection, confidence: answer.confidence };
  });
}

function isObservation({ severity }: Prediction['detections'][number]): boolean {
  return severity === 'observation';
}

/** The weakest basis among the cases of a figure. */
export function basisOf(cases: readonly Pick<Case, 'id' | 'set'>[], answers: FittedAnswers, name: PieceName): Basis {
  const open = cases.filter(({ id, set }) => !answers.outOfFold[name].has(id) && !MEASURE_ONLY.has(set));
  if (open.length > 0) return 'in-sample';
  if (cases.every(({ set }) => MEASURE_ONLY.has(set))) return 'never fitted';
  return isAlwaysLeftOut(answers, name) ? 'set left out' : 'out-of-fold';
}

/** Then there is one figure to show and not two. */
export function isAlwaysLeftOut({ outOfFold, setLeftOut }: FittedAnswers, name: PieceName): boolean {
  return outOfFold[name].size > 0 && outOfFold[name] === setLeftOut[name];
}
