import type { Detection, DetectionType } from '../../core/detection.ts';
import type { ModelCatalog } from '../../core/model-catalog.ts';
import { SEVERITIES } from '../../core/severity.ts';
import type { Thresholds } from '../../core/thresholds.ts';
import type { Trace } from '../../core/trace.ts';
import { DEFAULT_FIRING_CONFIDENCE, firingDefault } from '../_kit/calibration.ts';
import type { DetectionDraft, DetectorOptions } from '../_kit/define.ts';
import type { TrafficReference } from '../_kit/traffic-reference.ts';
import { DETECTORS, type RegisteredDetector } from '../registry.ts';
import { type AdaptedFiring, type AdaptedFirings, adjustToTraffic, isReported } from './adapted-firing.ts';
import { confidenceIn, detectionOf } from './detection-of.ts';
import { type FiringOverrides, overrideOf } from './firing-override.ts';
import { FACT_CONFIDENCE, limitByMaturity, maturityLevel } from './maturity-limit.ts';
import { missingNeed } from './needs.ts';
import { withSameCause } from './same-cause.ts';
import { withoutSameFact } from './same-fact.ts';
import { type Answers, type JudgedDraft, type KeyedQuestion, secondOpinion } from './second-opinion.ts';
import { runAllInTime, type TimeLimit } from './time-limit.ts';

export interface EngineSettings {
  /** Thresholds for this trace's tenant and framework. */
  thresholds: Thresholds;
  models: ModelCatalog;
  /** Firing thresholds set by the tenant; they take precedence over every other threshold. */
  overrides: FiringOverrides;
  /** Switches set by the tenant; an omitted type is enabled. */
  enabled: Readonly<Partial<Record<DetectionType, boolean>>>;
  /** Adaptation to the tenant's own traffic; it never hides a critical detection. */
  adapted?: AdaptedFirings;
  /** The tenant's other runs of this framework, once enough are known. */
  traffic?: TrafficReference | undefined;
  /** All registered detectors if omitted. */
  detectors?: readonly RegisteredDetector[];
  /** Time limit; unlimited if omitted. */
  limit?: TimeLimit;
  /** Called before each detector, so that an error that ends the thread can be attributed to a detector. */
  onStart?(type: DetectionType): void;
  /** Answers of a model to the detectors' questions. If omitted, no questions are asked. */
  answers?: Answers;
}

export interface EngineResult {
  /** Worst first; observations last. */
  detections: Detection[];
  /** Detectors that lacked data; different from clean. */
  notApplicable: { type: DetectionType; why: string }[];
  crashed: { type: DetectionType; message: string }[];
  /** Run time before the detector was terminated; null: not started because the time limit of the trace was used up. */
  overran: { type: DetectionType; ms: number | null }[];
  /** The highest confidence of each subtype by `type/subtype`, whether or not it fired. */
  signals: Record<string, number>;
  /** Questions for a model about uncertain detections; empty without `answers`. */
  questions: KeyedQuestion[];
}

/** Result of one detector for a trace. */
type DetectorResult = Omit<EngineResult, 'overran'>;

/** Runs every enabled detector on one trace. Pure except for `settings.limit`. Never throws because of a detector. */
export function runDetectors(trace: Trace, settings: EngineSettings): EngineResult {
  const enabled = (settings.detectors ?? DETECTORS).filter((registered) => isEnabled(registered, settings));
  const { results: outcomes, overruns } = runAllInTime(
    enabled,
    (registered) => runDetector(registered, trace, settings),
    settings.limit,
  );
  const found = outcomes.flatMap(({ detections }) => detections);
  return {
    detections: withSameCause(trace, withoutSameFact(trace, strongestOfEachIdentity(found).sort(worstFirst))),
    notApplicable: outcomes.flatMap(({ notApplicable }) => notApplicable),
    crashed: outcomes.flatMap(({ crashed }) => crashed),
    overran: overruns.map(({ item, ms }) => ({ type: item.detector.type, ms })),
    signals: Object.assign({}, ...outcomes.map(({ signals }) => signals)),
    questions: outcomes.flatMap(({ questions }) => questions),
  };
}

/**
 * Firing confidence of a detector or of one of its subtypes, without adaptation. The first value that is set wins: override
 * of the subtype, override of the detector, calibration, engine default. A subtype without labels uses the engine default
 * even if other subtypes of its detector are calibrated.
 */
export function firingConfidence(
  { detector: { type }, calibration }: RegisteredDetector,
  settings: Pick<EngineSettings, 'overrides'>,
  subtype?: string,
): number {
  const own = subtype === undefined ? calibration?.threshold : firingDefault(subtype, calibration);
  return overrideOf(settings.overrides, type, subtype) ?? own ?? DEFAULT_FIRING_CONFIDENCE;
}

/** The adaptation to the tenant's traffic; none if the tenant set an override, and none for a fact. */
export function adaptedFiring(
  registered: RegisteredDetector,
  subtype: string,
  { overrides, enabled, adapted }: Pick<EngineSettings, 'overrides' | 'enabled' | 'adapted'>,
): AdaptedFiring | undefined {
  const { type } = registered.detector;
  const isFixed = maturityLevel(registered, subtype, enabled[type] === true) === 'fact';
  return isFixed || overrideOf(overrides, type, subtype) !== undefined ? undefined : adapted?.[`${type}/${subtype}`];
}

/** Every detector runs unless the tenant disabled it. The maturity of a subtype decides whether it reports. */
export function isEnabled({ detector }: RegisteredDetector, settings: Pick<EngineSettings, 'enabled'>): boolean {
  return settings.enabled[detector.type] ?? true;
}

/** The drafts of one detector. Throws if a draft violates the contract. */
export function draftsOf(registered: RegisteredDetector, trace: Trace, options: DetectorOptions): DetectionDraft[] {
  const drafts: DetectionDraft[] = [];
  registered.detector.detect(trace, options, (draft) => {
    assertUsable(draft, trace, registered);
    drafts.push(draft);
  });
  return drafts;
}

function runDetector(registered: RegisteredDetector, trace: Trace, settings: EngineSettings): DetectorResult {
  const { type, needs } = registered.detector;
  settings.onStart?.(type);
  try {
    const why = missingNeed(needs, trace);
    return why === null ? evaluate(registered, trace, settings) : { ...emptyResult(), notApplicable: [{ type, why }] };
  } catch (error) {
    return { ...emptyResult(), crashed: [{ type, message: messageOf(error) }] };
  }
}

function emptyResult(): DetectorResult {
  return { detections: [], notApplicable: [], crashed: [], signals: {}, questions: [] };
}

/** Applies the rules, and the answers of a model if there are any. */
function evaluate(registered: RegisteredDetector, trace: Trace, settings: EngineSettings): DetectorResult {
  const outcomes = emptyResult();
  const ruled = judge(registered, trace, settings, outcomes);
  const { answers } = settings;
  let opinion = { detections: ruled.map(({ detection }) => detection), questions: [] as KeyedQuestion[] };
  try {
    if (answers !== undefined) opinion = secondOpinion(registered, trace, settings, ruled, answers);
  } catch (error) {
    // A failing question must not affect the result of the rules.
    outcomes.crashed.push({ type: registered.detector.type, message: messageOf(error) });
  }
  return { ...outcomes, ...opinion };
}

/** The drafts of one detector with their detections; none if a draft violates the contract. */
function judge(
  registered: RegisteredDetector,
  trace: Trace,
  settings: EngineSettings,
  { signals }: Pick<DetectorResult, 'signals'>,
): JudgedDraft[] {
  const { type, subtypes } = registered.detector;
  const scaling = settings.thresholds.confidenceScaling;
  return draftsOf(registered, trace, settings).flatMap((draft): JudgedDraft[] => {
    const { value: scored } = confidenceIn(registered, draft);
    const key = `${type}/${draft.subtype}`;
    const level = maturityLevel(registered, draft.subtype, settings.enabled[type] === true);
    const firing = firingConfidence(registered, settings, draft.subtype);
    // Weak evidence is not a fact, and a fact is not suppressed because it is frequent.
    const isFact = level === 'fact' && scored >= firingConfidence(registered, { overrides: {} }, draft.subtype);
    const adapted = adaptedFiring(registered, draft.subtype, settings);
    const confidence = isFact ? FACT_CONFIDENCE : scored;
    const scaledConfidence = confidence * scaling;
    signals[key] = Math.max(signals[key] ?? 0, scored);
    // Drafts below an observation need no fixes.
    if (!isReported({ scaledConfidence, firing, adapted })) return [];
    const found = { ...detectionOf(registered, trace, draft), confidence };
    const detection = adjustToTraffic(found, {
      scaledConfidence,
      firing,
      adapted,
      impact: subtypes[draft.subtype]!.impact,
    });
    if (detection === null) return [];
    // The tenant's own validated detections replace the general measurement.
    const isLifted = adapted?.warning != null && scaledConfidence >= adapted.warning;
    const reached = isLifted ? 'measured' : level;
    return [
      {
        draft,
        detection: limitByMaturity(detection, reached),
        firing: (adapted?.firing ?? firing) / scaling,
        isPreview: reached === 'preview',
      },
    ];
  });
}

function assertUsable(draft: DetectionDraft, trace: Trace, { detector }: RegisteredDetector): void {
  const isStep = (step: number) => trace.steps[step] !== undefined;
  if (!(draft.score >= 0 && draft.score <= 1)) throw new Error(`score ${draft.score} is not within 0–1`);
  if (draft.steps.length === 0 || !draft.steps.every(isStep)) throw new Error('a detection names no existing step');
  if (draft.step !== null && !isStep(draft.step)) throw new Error(`step ${draft.step} does not exist`);
  if (detector.subtypes[draft.subtype] === undefined) throw new Error(`unknown subtype ${draft.subtype}`);
}

/**
 * The id of a detection is derived from type, subtype and first span: two with the same identity would overwrite each
 * other.
 */
function strongestOfEachIdentity(detections: Detection[]): Detection[] {
  const strongest = new Map<string, Detection>();
  for (const detection of detections) {
    const identity = `${detection.type} ${detection.subtype} ${detection.spanIds[0]}`;
    const existing = strongest.get(identity);
    if (existing === undefined || worstFirst(detection, existing) < 0) strongest.set(identity, detection);
  }
  return [...strongest.values()];
}

function worstFirst(a: Detection, b: Detection): number {
  return (
    SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity) ||
    b.confidence - a.confidence ||
    (a.step ?? Number.MAX_SAFE_INTEGER) - (b.step ?? Number.MAX_SAFE_INTEGER) ||
    compare(`${a.type} ${a.subtype} ${a.spanIds[0]}`, `${b.type} ${b.subtype} ${b.spanIds[0]}`)
  );
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
