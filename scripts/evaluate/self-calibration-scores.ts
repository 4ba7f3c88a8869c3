import { adaptableKinds } from '../../src/features/calibration/traffic.ts';
import { groupedFigure, type Section } from './figure.ts';
import { type SimulatedRun, simulateTraffic } from './self-calibration.ts';
import { STREAM_SETS, type StreamedRun } from './traffic-stream.ts';

/** Alert rates that a tenant may want; the first is the default. */
const TARGETS = [0.05, 0.2];
const LABELS = [0, 20, 50];

/** The effect of adapting to a tenant's traffic. Each set is streamed as the traffic of one tenant. */
export function selfCalibrationScores(runs: readonly StreamedRun[]): Section {
  const kinds = adaptableKinds({ enabled: {}, overrides: {} });
  const figures = STREAM_SETS.flatMap((set) => {
    const own = runs.filter((run) => run.set === set);
    if (own.length === 0) return [];
    return TARGETS.flatMap((targetAlertRate, first) =>
      LABELS.flatMap((labels, at) => {
        const simulated = simulateTraffic(own, { kinds, targetAlertRate, labels });
        const name = `${targetAlertRate * 100} % wanted${labels === 0 ? '' : `, ${labels} validated`}`;
        const id = `${targetAlertRate * 100}.${labels}.${set}`;
        return [
          ...(first + at === 0 ? pair(`before.${set}`, 'not adapted', set, simulated, 'before') : []),
          ...pair(id, name, set, simulated, 'after'),
        ];
      }),
    );
  });
  return {
    title: 'Self-calibration to the traffic of one tenant',
    about:
      'Share of runs with a warning or worse. The runs of a set are streamed unlabelled in five shuffled orders, as the traffic of a separate tenant; thresholds adapt to the preceding runs, and only runs after the first hundred are counted (a run that came late in several orders counts by the share of them in which it was flagged). *validated*: the first 20 or 50 detections of the stream are labelled real or false by the outcome of their run. Detectors and their confidences are as shipped, and the distribution of the alert budget was chosen with them. About half of the runs of these sets failed, so far more than the target share should raise an alarm: compare failing runs with healthy runs.',
    figures,
  };
}

function pair(id: string, name: string, set: string, runs: readonly SimulatedRun[], stage: 'before' | 'after') {
  const share = (some: readonly SimulatedRun[]) =>
    some.reduce((sum, run) => sum + run[stage] / run.orders, 0) / some.length;
  return (['healthy', 'failing'] as const).map((outcome) =>
    groupedFigure(
      {
        id: `selfcal.${outcome}.${id}`,
        label: `${outcome} runs, ${name}`,
        set,
        basis: 'as shipped',
        better: 'none',
      },
      runs.filter(({ isFailing }) => isFailing === (outcome === 'failing')),
      ({ group }) => group,
      share,
    ),
  );
}
