import type { Detection, DetectionType } from '../../core/detection.ts';
import type { ModelCatalog } from '../../core/model-catalog.ts';
import { SEVERITIES } from '../../core/severity.ts';
import type { Thresholds } from '../../core/thresholds.ts';
import type { Trace } from '../../core/trace.ts';
import { DETECTORS, type RegisteredDetector } from '../registry.ts';
import { type AdaptedFiring, type AdaptedFirings, adjustToTraffic, isReported } from './adapted-firing.ts';
import { DEFAULT_FIRING_CONFIDENCE, firingDefault } from './calibration.ts';
import type { DetectionDraft, DetectorOptions } from './define.ts';
import { confidenceIn, detectionOf } from './detection-of.ts';
import { type FiringOverrides, overrideOf } from './firing-override.ts';
import { FACT_CONFIDENCE, limitByMaturity, maturityLevel } from './matured.ts';
import { missingNeed } from './needs.ts';
import { type Answers, type AskedQuestion, type JudgedDraft, secondOpinion } from './second-opinion.ts';
import { runAllInTime, type TimeLimit } from './time-limit.ts';
import type { TrafficReference } from './traffic-reference.ts';

export interface EngineSettings {
  /** Effective for this trace's tenant and framework. */
  thresholds: Thresholds;
  models: ModelCatalog;
  /** Firing thresholds set by the tenant; they stand above every other threshold. */
  overrides: FiringOverrides;
  /** Switches set by the tenant; a type that is omitted runs. */
  enabled: Readonly<Partial<Record<DetectionType, boolean>>>;
  /** What fires by the tenant's own traffic; it never hides a critical detection. */
  adapted?: AdaptedFirings;
  /** The tenant's other runs of this framework, once enough are known. */
  traffic?: TrafficReference | undefined;
  /** All registered ones where left out. */
  detectors?: readonly RegisteredDetector[];
  /** How long they may take; left out, as long as they like. */
  limit?: TimeLimit;
  /** Called before each detector: what ends the whole thread can be put down to one. */
  onStart?(type: DetectionType): void;
  /** What a model has answered to the detectors' questions; left out, nothing is asked. */
  answers?: Answers;
}

export interface EngineResult {
  /** Worst first; observations last. */
  detections: Detection[];
  /** Not clean: these could not look. */
  notApplicable: { type: DetectionType; why: string }[];
  crashed: { type: DetectionType; message: string }[];
  /** Cut off after so many milliseconds; null: not started, since the time of the trace was up. */
  overran: { type: DetectionType; ms: number | null }[];
  /** The highest confidence of each kind of detection by `type/subtype`, whether or not it fired. */
  signals: Record<string, number>;
  /** What a model may be asked about uncertain detections; empty without `answers`. */
  questions: AskedQuestion[];
}

/** What one detector has to say of a trace. */
type Said = Omit<EngineResult, 'overran'>;

/** Runs every enabled detector over one trace. Pure but for `settings.limit`. Never throws for what a detector does. */
export function runDetectors(trace: Trace, settings: EngineSettings): EngineResult {
  const enabled = (settings.detectors ?? DETECTORS).filter((registered) => isEnabled(registered, settings));
  const { answers: said, overruns } = runAllInTime(
    enabled,
    (registered) => ask(registered, trace, settings),
    settings.limit,
  );
  const found = said.flatMap(({ detections }) => detections);
  return {
    detections: strongestOfEachIdentity(found).sort(worstFirst),
    notApplicable: said.flatMap(({ notApplicable }) => notApplicable),
    crashed: said.flatMap(({ crashed }) => crashed),
    overran: overruns.map(({ item, ms }) => ({ type: item.detector.type, ms })),
    signals: Object.assign({}, ...said.map(({ signals }) => signals)),
    questions: said.flatMap(({ questions }) => questions),
  };
}

/**
 * Firing confidence of a detector, or of one of its subtypes, where nothing is adapted: override of the subtype, override
 * of the detector, calibrated, engine default; the first that is set. A subtype without labels has the engine's default though others of its detector are
 * calibrated.
 */
export function firingConfidence(
  { detector: { type }, calibration }: RegisteredDetector,
  settings: Pick<EngineSettings, 'overrides'>,
  subtype?: string,
): number {
  const own = subtype === undefined ? calibration?.threshold : firingDefault(subtype, calibration);
  return overrideOf(settings.overrides, type, subtype) ?? own ?? DEFAULT_FIRING_CONFIDENCE;
}

/** What adapted to the tenant's traffic; nothing under an override of the tenant's, and nothing for a fact. */
export function adaptedFiring(
  registered: RegisteredDetector,
  subtype: string,
  { overrides, enabled, adapted }: Pick<EngineSettings, 'overrides' | 'enabled' | 'adapted'>,
): AdaptedFiring | undefined {
  const { type } = registered.detector;
  const isFixed = maturityLevel(registered, subtype, enabled[type] === true) === 'fact';
  return isFixed || overrideOf(overrides, type, subtype) !== undefined ? undefined : adapted?.[`${type}/${subtype}`];
}

/** Every detector runs unless the tenant switched it off; which of its subtypes report is up to their maturity. */
export function isEnabled({ detector }: RegisteredDetector, settings: Pick<EngineSettings, 'enabled'>): boolean {
  return settings.enabled[detector.type] ?? true;
}

/** What one detector found, as raw detections. Throws where a detection breaks the contract. */
export function draftsOf(registered: RegisteredDetector, trace: Trace, options: DetectorOptions): DetectionDraft[] {
  const drafts: DetectionDraft[] = [];
  registered.detector.detect(trace, options, (draft) => {
    assertUsable(draft, trace, registered);
    drafts.push(draft);
  });
  return drafts;
}

function ask(registered: RegisteredDetector, trace: Trace, settings: EngineSettings): Said {
  const { type, needs } = registered.detector;
  settings.onStart?.(type);
  try {
    const why = missingNeed(needs, trace);
    return why === null ? hear(registered, trace, settings) : { ...nothing(), notApplicable: [{ type, why }] };
  } catch (error) {
    return { ...nothing(), crashed: [{ type, message: messageOf(error) }] };
  }
}

function nothing(): Said {
  return { detections: [], notApplicable: [], crashed: [], signals: {}, questions: [] };
}

/** What the rules say, and then, where a model may be asked, what it makes of that. */
function hear(registered: RegisteredDetector, trace: Trace, settings: EngineSettings): Said {
  const said = nothing();
  const ruled = judge(registered, trace, settings, said);
  const { answers } = settings;
  let opinion = { detections: ruled.map(({ detection }) => detection), questions: [] as AskedQuestion[] };
  try {
    if (answers !== undefined) opinion = secondOpinion(registered, trace, settings, ruled, answers);
  } catch (error) {
    // A question that cannot be asked costs the rules nothing.
    said.crashed.push({ type: registered.detector.type, message: messageOf(error) });
  }
  return { ...said, ...opinion };
}

/** What one detector found and what became of it; nothing of it where a detection breaks the contract. */
function judge(
  registered: RegisteredDetector,
  trace: Trace,
  settings: EngineSettings,
  { signals }: Pick<Said, 'signals'>,
): JudgedDraft[] {
  const { type, subtypes } = registered.detector;
  const scaling = settings.thresholds.confidenceScaling;
  return draftsOf(registered, trace, settings).flatMap((draft): JudgedDraft[] => {
    const { value: scored } = confidenceIn(registered, draft);
    const key = `${type}/${draft.subtype}`;
    const level = maturityLevel(registered, draft.subtype, settings.enabled[type] === true);
    const firing = firingConfidence(registered, settings, draft.subtype);
    // Weak evidence is no fact, and a fact is not silenced by being frequent.
    const isFact = level === 'fact' && scored >= firingConfidence(registered, { overrides: {} }, draft.subtype);
    const adapted = adaptedFiring(registered, draft.subtype, settings);
    const confidence = isFact ? FACT_CONFIDENCE : scored;
    const weighed = confidence * scaling;
    signals[key] = Math.max(signals[key] ?? 0, scored);
    // What is not even observed needs no fixes.
    if (!isReported({ weighed, firing, adapted })) return [];
    const found = { ...detectionOf(registered, trace, draft), confidence };
    const detection = adjustToTraffic(found, { weighed, firing, adapted, impact: subtypes[draft.subtype]!.impact });
    if (detection === null) return [];
    // Where the tenant's own validated detections say that it is right, it was measured there.
    const isLifted = adapted?.warning != null && weighed >= adapted.warning;
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
  if (draft.steps.length === 0 || !draft.steps.every(isStep)) throw new Error('a finding names no step that exists');
  if (draft.step !== null && !isStep(draft.step)) throw new Error(`step ${draft.step} does not exist`);
  if (detector.subtypes[draft.subtype] === undefined) throw new Error(`unknown subtype ${draft.subtype}`);
}

/** A detection's id hangs on type, subtype and first span: two of one identity would overwrite each other. */
function strongestOfEachIdentity(detections: Detection[]): Detection[] {
  const strongest = new Map<string, Detection>();
  for (const detection of detections) {
    const identity = `${detection.type} ${detection.subtype} ${detection.spanIds[0]}`;
    const rival = strongest.get(identity);
    if (rival === undefined || worstFirst(detection, rival) < 0) strongest.set(identity, detection);
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
