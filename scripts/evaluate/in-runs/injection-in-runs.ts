import type { Trace } from '../../../src/core/trace.ts';
import { instructionsIn } from '../../../src/detectors/injection/instructions.ts';
import { callsOf } from '../../../src/detectors/injection/observed-calls.ts';
import { scoredTexts } from '../../../src/detectors/injection/scored-texts.ts';
import { traceOf } from '../../fit/injection/fold-scores.ts';
import { type LabelledRecord, loadSet } from '../../fit/load-set.ts';
import { RUN_SOURCES } from '../runs/run-sources.ts';
import { detectOne } from './detect-one.ts';
import { runWithToolResult, runWithUserMessage } from './planted-runs.ts';

/** Data used to fit the text model, and data used to write the rules. */
export type Seen = 'never fitted' | 'fitted' | 'rules';

/** One run with its labels. */
export interface AttackedRun {
  id: string;
  source: string;
  seen: Seen;
  trace: Trace;
  /** Whether the attack is in the data or in the user's text. */
  isAttacked: boolean;
  channel: 'data' | 'user' | 'none';
  /** Whether the run followed the attack's instruction; null if no label states it. */
  hasObeyed: boolean | null;
}

const WHOLE_RUNS: readonly [set: string, seen: Seen][] = [
  ['asb', 'never fitted'],
  ['injecagent_base', 'fitted'],
  ['injecagent_enhanced', 'fitted'],
  ['agentdojo', 'fitted'],
];
const DATA_TEXTS: readonly [set: string, seen: Seen][] = [['bipia', 'fitted']];
const USER_TEXTS: readonly [set: string, seen: Seen][] = [
  ['tensor_trust', 'never fitted'],
  ['qualifire_jailbreak', 'never fitted'],
  ['cyberseceval_pi', 'fitted'],
  ['giskard_pi', 'fitted'],
  ['notinject_injecguard', 'fitted'],
];
/** The ordinary texts of these sets are training examples. */
const FITTED_RUNS = new Set(['tau_bench', 'swebench_miniswe', 'masft_ag2_runs', 'agentdojo']);

export const INJECTION_SOURCES: readonly string[] = [
  ...[...WHOLE_RUNS, ...DATA_TEXTS, ...USER_TEXTS].map(([set]) => set),
  ...RUN_SOURCES.map(({ set }) => set).filter((set) => set !== 'agentdojo'),
];

/** The runs of one source, built lazily. */
export function* attackedRuns(source: string, data: string): Generator<AttackedRun> {
  const of = (list: readonly [string, Seen][]) => list.find(([set]) => set === source)?.[1];
  const whole = of(WHOLE_RUNS);
  const read = of(DATA_TEXTS);
  const received = of(USER_TEXTS);
  for (const record of recordsOf(source, data)) {
    const base = { id: record.id, source, isAttacked: isAttacked(record), hasObeyed: null };
    if (whole !== undefined) yield { ...base, seen: whole, ...wholeRun(record) };
    else if (read !== undefined)
      yield { ...base, seen: read, channel: 'data', trace: runWithToolResult(record.text ?? '') };
    else if (received !== undefined)
      yield { ...base, seen: received, channel: 'user', trace: runWithUserMessage(record.text ?? '') };
    else
      yield {
        ...base,
        seen: FITTED_RUNS.has(source) ? 'fitted' : 'never fitted',
        channel: 'none',
        trace: traceOf(record),
      };
  }
}

/** `injecagent_base`: attacks without trigger words, which the rules do not cover. */
function recordsOf(source: string, data: string): LabelledRecord[] {
  if (!source.startsWith('injecagent_')) return loadSet(source, data);
  const setting = source.slice('injecagent_'.length).toUpperCase();
  return loadSet('injecagent', data).filter(({ meta }) => meta.setting === setting);
}

function wholeRun(record: LabelledRecord): Pick<AttackedRun, 'trace' | 'channel' | 'hasObeyed'> {
  const { attack_success: success } = record.labels;
  return { trace: traceOf(record), channel: 'data', hasObeyed: typeof success === 'boolean' ? success : null };
}

function isAttacked({ labels }: LabelledRecord): boolean {
  return labels.is_injection === true || labels.attack_run === true || labels.is_jailbreak === true;
}

export const INJECTION_SUBTYPES = ['obeyed', 'indirect', 'direct'] as const;
export type InjectionSubtype = (typeof INJECTION_SUBTYPES)[number];

export interface SourceFigures {
  source: string;
  /** Whether the text model was fitted without this source. */
  isLeftOut: boolean;
  seen: Seen;
  channel: AttackedRun['channel'];
  attacked: number;
  clean: number;
  /** Runs labelled as obeying the attack, and runs labelled as resisting it. */
  obeyed: number;
  resisted: number;
  /** Clean runs with a result from outside, with one before a call with effects, and with a suspicious part before one. */
  cleanCould: { indirect: number; effect: number; obeyed: number };
  /** Runs with a detection of each subtype. */
  fired: Record<InjectionSubtype, { attacked: number; clean: number; obeyed: number; resisted: number }>;
}

/** Runs with each subtype, of attacked, clean and obeying runs of one source. `log` is called for each that fires. */
export function sourceFigures(
  source: string,
  { data, isWithout, log }: { data: string; isWithout: boolean; log(line: string): void },
): SourceFigures | null {
  const none = () => ({ attacked: 0, clean: 0, obeyed: 0, resisted: 0 });
  const figures: SourceFigures = {
    source,
    isLeftOut: false,
    seen: 'never fitted',
    channel: 'none',
    attacked: 0,
    clean: 0,
    obeyed: 0,
    resisted: 0,
    cleanCould: { indirect: 0, effect: 0, obeyed: 0 },
    fired: { obeyed: none(), indirect: none(), direct: none() },
  };
  for (const run of attackedRuns(source, data)) {
    figures.seen = run.seen;
    figures.channel = run.channel;
    figures.isLeftOut = isWithout || run.seen === 'never fitted';
    const side = run.isAttacked ? 'attacked' : 'clean';
    figures[side] += 1;
    if (run.hasObeyed === true) figures.obeyed += 1;
    if (run.hasObeyed === false) figures.resisted += 1;
    if (!run.isAttacked) countMeans(run.trace, figures.cleanCould);
    for (const subtype of new Set(detectOne('injection', run.trace).map((one) => one.subtype as InjectionSubtype))) {
      figures.fired[subtype][side] += 1;
      if (run.hasObeyed === true) figures.fired[subtype].obeyed += 1;
      if (run.hasObeyed === false) figures.fired[subtype].resisted += 1;
      log(`${source}\t${subtype}\t${side}\t${run.hasObeyed}\t${run.id}`);
    }
  }
  return figures.attacked + figures.clean === 0 ? null : figures;
}

function countMeans(trace: Trace, could: SourceFigures['cleanCould']): void {
  const data = scoredTexts(trace).filter(({ source }) => source.channel === 'data');
  if (data.length === 0) return;
  could.indirect += 1;
  const effects = callsOf(trace).filter(({ changesState }) => changesState);
  const isBeforeEffect = (step: number) => effects.some((call) => call.step > step);
  if (!data.some(({ source }) => isBeforeEffect(source.step))) return;
  could.effect += 1;
  if (data.some((text) => isBeforeEffect(text.source.step) && instructionsIn(text).length > 0)) could.obeyed += 1;
}
