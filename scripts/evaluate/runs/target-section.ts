import { countFigure, type Figure, type Section, shareFigure } from '../figure.ts';
import type { AnalyzedRun } from './analyze-runs.ts';
import { flaggedBySource, flaggedMean, flaggedShare } from './flag-section.ts';
import type { GaugeCounts } from './gauge-counts.ts';
import { lastHandReading } from './hand-reading.ts';
import { byUnseenRules } from './seen-by-rules.ts';
import { runsOf, SOURCE_PARTS, type SourcePart, withSeveralModels } from './source-parts.ts';

export const TARGET_TITLE = 'Targets';

/** No share is computed for sources with fewer healthy runs. */
const MIN_RUNS_OF_SOURCE = 20;

/** Healthy runs flagged in the sealed part of known sources when the targets were set: the upper limit. */
const KNOWN_HEALTHY: Readonly<Record<string, number>> = {
  swebench_miniswe: 0.01,
  masft_ag2_runs: 0.022,
  agentdojo: 0.009,
};

/** Figures of other sections that are targets too, with what they were when the targets were set. */
const CARRIED_OVER: readonly { id: string; better: 'higher' | 'lower'; aim: number | null }[] = [
  { id: 'failed.auroc.mean.read', better: 'higher', aim: 0.7 },
  { id: 'injection.three_way.mean', better: 'higher', aim: 0.87 },
  { id: 'injection.recall_1.mean.left_out', better: 'higher', aim: 0.6 },
  { id: 'grounding.auroc.macro', better: 'higher', aim: 0.75 },
  // Without an aim: figures of two machines cannot be compared.
  { id: 'speed.judge_100kb.all', better: 'lower', aim: null },
];

/** Failing runs of the left-out sources, counted only for rules that were chosen without reading the source. */
const UNSEEN: SourcePart = { ...SOURCE_PARTS[0]!, name: 'left-out sources, rules chosen elsewhere', seen: 'read' };

/** The targets of the project with the measured figures; a target that is not met has no mark. */
export function targetSection(
  runs: readonly AnalyzedRun[],
  gauge: GaugeCounts,
  others: readonly Section[],
  date: string,
): Section {
  const [leftOut, known] = SOURCE_PARTS as [(typeof SOURCE_PARTS)[0], (typeof SOURCE_PARTS)[0]];
  const own = runsOf(leftOut, runs);
  const unseen = byUnseenRules(own);
  const several = withSeveralModels(own);
  const severalName = `${leftOut.name}, several model-driven agents`;
  const figures = [
    target(flaggedShare(leftOut, own, 'healthy', 'warning', leftOut.name), 0.03),
    worstSource(own),
    target(flaggedShare(leftOut, own, 'healthy', 'critical', leftOut.name), 0.001),
    target(flaggedShare(leftOut, several, 'healthy', 'warning', severalName), 0.05),
    target(flaggedShare(leftOut, byUnseenRules(several), 'failing', 'warning', `${UNSEEN.name}, several agents`), 0.25),
    target(flaggedShare(UNSEEN, unseen, 'failing', 'warning', UNSEEN.name), 0.4),
    target(flaggedMean(UNSEEN, unseen, 'failing'), 0.33),
    flaggedShare(leftOut, own, 'failing', 'warning', leftOut.name),
    flaggedMean(leftOut, own, 'failing'),
    gaugeFigure(gauge),
    readByHand(),
    ...Object.entries(KNOWN_HEALTHY).map(([set, aim]) =>
      target(
        flaggedShare(
          known,
          runs.filter((run) => run.set === set),
          'healthy',
          'warning',
          set,
        ),
        aim,
      ),
    ),
    ...CARRIED_OVER.flatMap(({ id, ...target }) => others.flatMap((section) => carriedOver(section, id, target))),
  ];
  return {
    title: TARGET_TITLE,
    about: `Runs measured on ${date}, at default settings. Left-out sources are those that nothing was fitted on. *Rules chosen elsewhere*: only detections count whose rule was chosen without reading runs of that source, as far as recorded ([detectors.md](detectors.md)); for healthy runs all detections count. Sealed sources, which no developer has read, are scored elsewhere and are the most important. \`hallucination\` is preview: its recall on traces is not measured. Speed has no aim here, because figures of two machines cannot be compared. Side by side on one machine (2026-11-28), detection took 1.6 times as long as at 0051b304, where the target was set (11 sets): the target, not slower, is missed.`,
    figures: figures.map((figure) => ({ ...figure, id: `target.${figure.id}` })),
  };
}

function target(figure: Figure, aim: number): Figure {
  return { ...figure, aim };
}

function worstSource(runs: readonly AnalyzedRun[]): Figure {
  const shares = flaggedBySource(runs, 'healthy').filter(({ n }) => n >= MIN_RUNS_OF_SOURCE);
  const worst = shares.sort((a, b) => b.hits / b.n - a.hits / a.n)[0];
  const topic = {
    id: 'runs.healthy.worst',
    label: 'healthy runs with warning or higher, worst left-out source',
    set: worst?.set ?? 'left-out sources',
    basis: 'never fitted',
    better: 'lower',
    aim: 0.1,
  } as const;
  return shareFigure(topic, worst?.hits ?? 0, worst?.n ?? 0);
}

function gaugeFigure({ flagged, healthy }: GaugeCounts): Figure {
  const topic = {
    id: 'gauge.healthy',
    label: 'healthy runs of the gauge with warning or higher',
    set: 'test/gauge',
    basis: 'as shipped',
    better: 'lower',
    aim: 0.01,
  } as const;
  return shareFigure(topic, flagged, healthy);
}

/** Read by people, from the report: this program does not measure it. */
function readByHand(): Figure {
  const reading = lastHandReading();
  const topic = {
    id: 'read_by_hand',
    label: 'detections on failing runs read by hand: text, step and fix correct',
    set: reading === null ? 'not read' : `docs/read-by-hand.md, ${reading.draw.toLowerCase()}`,
    basis: 'as shipped',
    better: 'higher',
    aim: 0.8,
  } as const;
  return reading === null ? countFigure(topic, null, 0) : shareFigure(topic, reading.right, reading.read);
}

function carriedOver({ title, figures }: Section, id: string, target: Pick<Figure, 'better' | 'aim'>): Figure[] {
  return figures
    .filter((figure) => figure.id === id)
    .map((figure) => ({ ...figure, ...target, label: `${figure.label} (${title})` }));
}
