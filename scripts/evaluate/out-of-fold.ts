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
    /** Answers of other cross-validations: with so few records, one split changes a figure by several records. */
    others?: readonly NamedStep[];
  };
  trail: readonly { span_id: string; category: string }[];
  /** Detections with a fitted confidence; `span_id` is the first span of the detection. */
  confidence: readonly { type: string; subtype: string; span_id: string; confidence: number }[];
}
/** Step indexes are those of the record; `top` holds the most likely steps, in descending order. */
export interface NamedStep {
  agent: string | null;
  step: number;
  top?: readonly number[];
}

export type ModelName = keyof Answers;

export type Scores<Answer> = ReadonlyMap<string, Answer>;

/**
 * Held-out answers of a fitted model by record id: the answer of a model that was fitted without the record's group
 * (`outOfFold`), and of one fitted without its whole set (`setLeftOut`), which is used for both if it is the only one.
 * Records without an answer are left out.
 */
export interface HeldOut<Answer> {
  outOfFold?: Scores<Answer>;
  setLeftOut?: Scores<Answer>;
}

/** A fitted model: the file that fits it, and how to get held-out answers from it. */
interface FittedModel<Answer> {
  module: string;
  answers(module: FitModule<Answer>, load: LoadSet, data: string): HeldOut<Answer> | Promise<HeldOut<Answer>>;
}
type LoadSet = (set: string) => LabelledRecord[];

interface FitModule<Answer> {
  outOfFold?(records: readonly LabelledRecord[]): Scores<Answer> | Promise<Scores<Answer>>;
  setLeftOut?(records: readonly LabelledRecord[]): Scores<Answer> | Promise<Scores<Answer>>;
}

/** Attacks, and every kind of ordinary text on which the model must not fire. */
const INJECTION_SETS = [...RECORD_SETS, 'begin', 'faithdial_audit', 'wice', 'q2_wow', 'halueval'];

/** Runs whose outcome is known. */
export const RUN_SETS = ['tau_bench', 'swebench_miniswe', 'masft_ag2_runs', 'agentdojo'];

export const FITTED_MODELS: { readonly [Name in ModelName]: FittedModel<Answers[Name]> } = {
  hallucination: {
    module: 'grounding.ts',
    answers: (fit, _, data) => groundingAnswers(fit as unknown as GroundingModule, data),
  },
  confidence: modelFittedBy('calibration.ts', RUN_SETS),
  attribution: modelFittedBy('attribution.ts', ['whowhen', 'agentrx', 'agenterrorbench']),
  trail: {
    module: 'trail.ts',
    answers: async (_, __, data) => (await import('./trail-answers.ts')).trailAnswers(data),
  },
  // Last, because it takes longest.
  injection: modelFittedBy('injection.ts', INJECTION_SETS),
};

/** Its held-out scores come from models fitted without the record's whole set. */
interface GroundingModule {
  outOfFold(data: string): readonly { id: string; score: number }[];
}

function groundingAnswers({ outOfFold }: GroundingModule, data: string): HeldOut<number> {
  return { setLeftOut: new Map(outOfFold(data).map(({ id, score }) => [id, score])) };
}

/** A model whose file exports `outOfFold(records)` and optionally `setLeftOut(records)`. */
function modelFittedBy<Answer>(module: string, sets: readonly string[]): FittedModel<Answer> {
  return {
    module,
    async answers(fit, load) {
      const records = sets.flatMap(load);
      return { outOfFold: await fit.outOfFold?.(records), setLeftOut: await fit.setLeftOut?.(records) };
    },
  };
}

/** Sets whose records must not be used to fit shipped weights, so no figure of them is in-sample. */
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
  outOfFold: { [Name in ModelName]: Scores<Answers[Name]> };
  setLeftOut: { [Name in ModelName]: Scores<Answers[Name]> };
}

export function emptyAnswers(): FittedAnswers {
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
  { folder = join(import.meta.dirname, '../fit'), cacheFolder }: { folder?: string; cacheFolder?: string } = {},
): Promise<FittedAnswers> {
  const answers = emptyAnswers();
  for (const name of Object.keys(FITTED_MODELS) as ModelName[]) {
    const code = cacheFolder === undefined ? '' : codeOf(name, folder);
    const make = () => heldOut(name, load, data, folder);
    const held = await cachedOr(cacheFolder, { name, code }, make).catch((error: Error) => error);
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

function codeOf(name: ModelName, folder: string): string {
  const file = join(folder, FITTED_MODELS[name].module);
  return existsSync(file) ? codeDigest([file, import.meta.filename]) : '';
}

async function heldOut(name: ModelName, load: LoadSet, data: string, folder: string): Promise<HeldOut<unknown> | null> {
  const fit = FITTED_MODELS[name] as FittedModel<unknown>;
  const file = join(folder, fit.module);
  return existsSync(file) ? fit.answers((await import(file)) as FitModule<unknown>, load, data) : null;
}

/** The prediction with held-out answers in place of the shipped ones, where they exist. */
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
export function basisOf(cases: readonly Pick<Case, 'id' | 'set'>[], answers: FittedAnswers, name: ModelName): Basis {
  const withoutAnswer = cases.filter(({ id, set }) => !answers.outOfFold[name].has(id) && !MEASURE_ONLY.has(set));
  if (withoutAnswer.length > 0) return 'in-sample';
  if (cases.every(({ set }) => MEASURE_ONLY.has(set))) return 'never fitted';
  return isAlwaysLeftOut(answers, name) ? 'set left out' : 'out-of-fold';
}

/** Whether both kinds of answers are the same, so that only one figure is shown. */
export function isAlwaysLeftOut({ outOfFold, setLeftOut }: FittedAnswers, name: ModelName): boolean {
  return outOfFold[name].size > 0 && outOfFold[name] === setLeftOut[name];
}
