import { f1, precision, recall } from '../fit/metrics.ts';
import type { Case } from './cases.ts';
import { countFigure, type Figure, type Section, shareFigure } from './figure.ts';

const AIMED_MODES: ReadonlySet<string> = new Set(['FM-2.1', 'FM-3.2', 'FM-1.3']);
const AIM = 0.6;

interface ModeCount {
  mode: string;
  judged: number;
  truePositives: number;
  falsePositives: number;
  falseNegatives: number;
}

/** MAST modes (Cemri et al. 2025) by one annotator: counts only annotated modes, because the absence of other modes means nothing. */
export function mastModes(cases: readonly Case[]): Section {
  const own = cases.filter(({ set }) => set === 'masft_human');
  const counts = modeCounts(own);
  return {
    title: 'MAST modes on masft_human',
    about:
      'A mode counts as reported if a detection of `info` or higher has its code. One annotator and few traces: see the counts.',
    figures: counts.length === 0 ? [] : [...counts.flatMap(modeFigures), ...pooled(counts)],
  };
}

export function modeCounts(cases: readonly Case[]): ModeCount[] {
  const modes = [...new Set(cases.flatMap(({ labels }) => texts(labels.annotated_modes)))].sort();
  return modes.map((mode) => {
    const judged = cases.filter(({ labels }) => texts(labels.annotated_modes).includes(mode));
    const named = (one: Case) => namedModes(one).has(mode);
    const real = ({ labels }: Case) => texts(labels.failure_modes).includes(mode);
    return {
      mode,
      judged: judged.length,
      truePositives: judged.filter((one) => named(one) && real(one)).length,
      falsePositives: judged.filter((one) => named(one) && !real(one)).length,
      falseNegatives: judged.filter((one) => !named(one) && real(one)).length,
    };
  });
}

function modeFigures({ mode, judged, truePositives, falsePositives, falseNegatives }: ModeCount): Figure[] {
  const topic = { set: `masft_human (${judged} judged)`, basis: 'as shipped' as const, better: 'higher' as const };
  const aim = AIMED_MODES.has(mode) ? AIM : undefined;
  return [
    shareFigure(
      { ...topic, id: `mast.${mode}.recall`, label: `${mode}: found`, aim },
      truePositives,
      truePositives + falseNegatives,
    ),
    shareFigure(
      { ...topic, id: `mast.${mode}.precision`, label: `${mode}: precision`, aim },
      truePositives,
      truePositives + falsePositives,
    ),
  ];
}

function pooled(counts: readonly ModeCount[]): Figure[] {
  const sum = (key: Exclude<keyof ModeCount, 'mode'>) => counts.reduce((total, count) => total + count[key], 0);
  const all = {
    truePositives: sum('truePositives'),
    falsePositives: sum('falsePositives'),
    falseNegatives: sum('falseNegatives'),
    trueNegatives: 0,
  };
  const topic = { set: 'masft_human', basis: 'as shipped' as const, better: 'higher' as const };
  const n = all.truePositives + all.falseNegatives;
  return [
    countFigure({ ...topic, id: 'mast.micro.f1', label: 'all modes: micro-F1' }, f1(all), n),
    countFigure({ ...topic, id: 'mast.micro.recall', label: 'all modes: recall' }, recall(all), n),
    countFigure(
      { ...topic, id: 'mast.micro.precision', label: 'all modes: precision' },
      precision(all),
      all.truePositives + all.falsePositives,
    ),
  ];
}

function namedModes({ prediction }: Case): Set<string> {
  const counted = prediction.detections.filter(({ severity }) => severity !== 'observation');
  return new Set(counted.flatMap(({ failure_modes }) => failure_modes));
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}
