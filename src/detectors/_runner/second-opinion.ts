import type { Detection } from '../../core/detection.ts';
import { isAtLeast } from '../../core/severity.ts';
import type { Trace } from '../../core/trace.ts';
import { UNCALIBRATED_CEILING } from '../_kit/calibration.ts';
import type { DetectionDraft, DetectorOptions } from '../_kit/define.ts';
import type { Answer, AnsweredQuestion, Conclusion, Question } from '../_kit/question.ts';
import { cut } from '../_kit/text.ts';
import type { RegisteredDetector } from '../registry.ts';
import { CRITICAL_CONFIDENCE, severityOf } from './severity-rule.ts';

/** A question with a key that is unique among all detectors: the identity of its detection (`identityKey`). */
export type KeyedQuestion = Question & { key: string };

/** Type, subtype and first span: the part of a detection that stays the same if the trace is analyzed again. */
export function identityKey(type: string, subtype: string, firstSpanId: string): string {
  return `${type} ${subtype} ${firstSpanId}`;
}

/** Answers by the key of their question. */
export type Answers = Readonly<Record<string, Answer>>;

/** A draft with the detection that the rules derived from it, and its firing confidence. */
export interface JudgedDraft {
  draft: DetectionDraft;
  detection: Detection;
  /** Firing confidence, at the tenant's scaling. */
  firing: number;
  /** Whether the detection remains an observation, whatever the answer. */
  isPreview: boolean;
}

export interface SecondOpinion {
  detections: Detection[];
  /** Questions without an answer so far. */
  questions: KeyedQuestion[];
}

/** Confidence from which no question is asked: the severity rule treats such a detection as proven. */
export const CERTAIN_CONFIDENCE = CRITICAL_CONFIDENCE;
/** Limit for a detector's questions about one trace, the most certain detections first. */
const MAX_QUESTIONS = 3;
/** Amount that one supporting answer adds to an uncalibrated confidence. */
const SUPPORT_BONUS = 0.15;
const REASON_LIMIT = 200;

/**
 * Whether a question is allowed: only for uncertain detections of the rules. Not for rules of critical impact, not below an
 * observation, and not for previews, which no answer can raise above an observation.
 */
export function isUncertain({ detector }: RegisteredDetector, { draft, detection, isPreview }: JudgedDraft): boolean {
  if (isPreview) return false;
  return detector.subtypes[draft.subtype]!.impact !== 'critical' && detection.confidence < CERTAIN_CONFIDENCE;
}

/** Collects the detector's questions about uncertain detections and applies the known answers. Pure. */
export function secondOpinion(
  registered: RegisteredDetector,
  trace: Trace,
  options: DetectorOptions,
  ruled: readonly JudgedDraft[],
  answers: Answers,
): SecondOpinion {
  const { detector } = registered;
  const uncertain = ruled.filter((each) => isUncertain(registered, each));
  if (detector.questions === undefined || detector.conclude === undefined || uncertain.length === 0)
    return { detections: ruled.map(({ detection }) => detection), questions: [] };
  const openQuestions = questionsFor(registered, trace, options, uncertain);
  const answered = openQuestions.flatMap((question): AnsweredQuestion[] => {
    const answer = Object.hasOwn(answers, question.key) ? answers[question.key] : undefined;
    return answer === undefined ? [] : [{ question, ...answer }];
  });
  const conclusions = answered.length === 0 ? [] : detector.conclude(trace, answered);
  const detections = ruled.flatMap((each) => {
    const conclusion = uncertain.includes(each) ? conclusions.find((one) => isAbout(one, each)) : undefined;
    const answer = answered.find(({ question }) => isAbout(question, each));
    if (conclusion === undefined || answer === undefined) return [each.detection];
    return detectionsAfter(registered, each, conclusion.effect, answer);
  });
  return { detections, questions: openQuestions.filter(({ key }) => !Object.hasOwn(answers, key)) };
}

function questionsFor(
  { detector }: RegisteredDetector,
  trace: Trace,
  options: DetectorOptions,
  uncertain: readonly JudgedDraft[],
): KeyedQuestion[] {
  const mostConfident = uncertain.toSorted((one, other) => other.detection.confidence - one.detection.confidence);
  const drafts = mostConfident.map(({ draft }) => draft);
  const byKey = new Map<string, KeyedQuestion>();
  for (const question of detector.questions!(trace, { ...options, drafts })) {
    const { subtype, step } = question.about;
    const key = identityKey(detector.type, subtype, trace.steps[step]?.spanId ?? '');
    const isAsked = uncertain.some((each) => isAbout(question, each));
    if (isAsked && !byKey.has(key)) byKey.set(key, { ...question, key });
  }
  return [...byKey.values()].slice(0, MAX_QUESTIONS);
}

function isAbout({ about }: Pick<Conclusion, 'about'>, { draft }: JudgedDraft): boolean {
  return draft.subtype === about.subtype && draft.steps[0] === about.step;
}

/**
 * A supported detection fires; without calibration, its confidence also rises. A doubted detection becomes an observation,
 * and a doubted observation is dropped. Text in the trace that misleads the model can therefore not hide a detection that
 * fired.
 */
function detectionsAfter(
  { detector }: RegisteredDetector,
  { draft, detection, firing }: JudgedDraft,
  effect: Conclusion['effect'],
  answer: Answer,
): Detection[] {
  const hasFired = detection.severity !== 'observation';
  const withAnswer = withOpinion(detection, effect, answer);
  if (effect === 'doubt') {
    if (!hasFired) return [];
    const confidence = rounded(detection.confidence / 2);
    return [{ ...withAnswer, confidence, severity: 'observation', method: 'judge', isCalibrated: false }];
  }
  if (hasFired && detection.isCalibrated) return [withAnswer];
  const target = Math.max(detection.confidence + SUPPORT_BONUS, hasFired ? 0 : firing);
  const confidence = rounded(Math.min(UNCALIBRATED_CEILING, target));
  const { impact } = detector.subtypes[draft.subtype]!;
  const fires = hasFired || confidence >= firing;
  const reached = fires ? severityOf(impact, confidence) : 'observation';
  // A supporting answer does not lower a severity that the tenant's traffic or a calibrated curve determined.
  const severity = isAtLeast(detection.severity, reached) ? detection.severity : reached;
  return [{ ...withAnswer, confidence, severity, method: 'judge', isCalibrated: false }];
}

function withOpinion(
  detection: Detection,
  effect: Conclusion['effect'],
  { verdict, reason, model }: Answer,
): Detection {
  const verdictText = effect === 'support' ? 'agreed with this detection' : 'considered this detection a false alarm';
  const spanId = detection.spanIds[0]!;
  return {
    ...detection,
    explanation: `${detection.explanation} A model that was asked ${verdictText}.`,
    evidence: [
      ...detection.evidence,
      { kind: 'judge', spanId, path: null, quote: cut(reason, REASON_LIMIT), value: { verdict, model } },
    ],
  };
}

function rounded(confidence: number): number {
  return Math.round(confidence * 1000) / 1000;
}
