import type { Attribution } from '../../../src/detectors/_attribution/ranking.ts';
import { wilson } from '../metrics.ts';
import { FAMILIES, type FailedRun } from './failed-runs.ts';

/** The answer for a run, in step indexes of the record, and whether it is correct. */
export interface Named {
  run: FailedRun;
  agent: string | null;
  step: number;
  top: number[];
  /** Share of the first step among all steps. */
  share: number;
  confidence: number;
  hasStep: boolean;
  hasAgent: boolean;
  isInTop: boolean;
}

export function namedBy(run: FailedRun, found: Attribution): Named {
  const top = [...new Set(found.top.map(({ step }) => run.recordSteps[step]!))];
  const { decisive } = run;
  return {
    run,
    agent: found.agent,
    step: top[0]!,
    top,
    share: found.top[0]!.score,
    confidence: found.confidence,
    hasStep: top[0] === decisive.step,
    hasAgent: sameAgent(found.agent, decisive.agent),
    isInTop: top.includes(decisive.step),
  };
}

/** Labels spell one agent in two ways, `Websurfer` and `WebSurfer`. */
function sameAgent(a: string | null, b: string | null): boolean {
  return a !== null && b !== null && a.toLowerCase() === b.toLowerCase();
}

/** Runs with several answers (seeds) count once in the interval. */
export function figureTable(named: readonly Named[]): string {
  const rows = FAMILIES.map((family) => {
    const own = named.filter(({ run }) => run.family === family);
    const runs = new Set(own.map(({ run }) => run.id)).size;
    const figure = (pick: (one: Named) => boolean) => {
      const rate = own.filter(pick).length / Math.max(1, own.length);
      const [low, high] = wilson(Math.round(rate * runs), runs);
      return `${rate.toFixed(3)} [${low.toFixed(2)}, ${high.toFixed(2)}]`;
    };
    const isNamed = own.some(({ run }) => run.decisive.agent !== null);
    const cells = [
      isNamed ? figure(({ hasAgent }) => hasAgent) : '–',
      figure(({ hasStep }) => hasStep),
      figure(({ isInTop }) => isInTop),
    ];
    return `| ${family} | ${runs} | ${cells.join(' | ')} |`;
  });
  return ['| runs | n | agent | step | in top 3 |', '|---|---|---|---|---|', ...rows, ''].join('\n');
}
