import type { SubtypeRecord } from '../../../src/detectors/subtype-records.ts';
import { pooledShare, type SourceShares } from '../runs/run-figures.ts';
import { shortfall, subtypePrecision } from '../runs/subtype-precision.ts';
import type { InjectionSubtype, SourceFigures } from './injection-in-runs.ts';

/**
 * Sources that were read while the rules of a subtype were written or changed, regardless of the data of the text model. The
 * rules in the README of `injection` were written with all sets of attacks except Qualifire; of these, they find nothing in
 * BIPIA and in the base setting of InjecAgent.
 */
const SEEN: Readonly<Record<InjectionSubtype, readonly string[]>> = {
  indirect: ['asb', 'agentdojo', 'injecagent_enhanced', 'swebench_miniswe', 'tau_bench', 'masft_ag2_runs'],
  direct: [
    'tensor_trust',
    'cyberseceval_pi',
    'giskard_pi',
    'notinject_injecguard',
    'asb',
    'agentdojo',
    'swebench_miniswe',
  ],
  obeyed: ['asb', 'agentdojo', 'injecagent_base', 'injecagent_enhanced', 'swebench_miniswe', 'tau_bench'],
};

/** Data for the maturity of the subtypes of `injection`. */
export function attackFile(all: readonly SourceFigures[], date: string): string {
  const lines = (['indirect', 'direct', 'obeyed'] as const).map(
    (subtype) => `    ${JSON.stringify(`injection/${subtype}`)}: ${JSON.stringify(recordOf(subtype, all))}`,
  );
  return `{\n  "date": ${JSON.stringify(date)},\n  "subtypes": {\n${lines.join(',\n')}\n  }\n}\n`;
}

function recordOf(subtype: InjectionSubtype, all: readonly SourceFigures[]): SubtypeRecord {
  const seen = SEEN[subtype];
  const isUnseen = ({ source, isLeftOut }: SourceFigures) => isLeftOut && !seen.includes(source);
  const leftOut = all.filter(isUnseen).map((figures) => sharesOf(subtype, figures));
  const known = all.filter((figures) => !isUnseen(figures)).map((figures) => sharesOf(subtype, figures));
  const own = subtypePrecision(leftOut);
  return {
    seen: known.map(({ set }) => set),
    leftOut: { healthy: own.healthy, failing: own.failing },
    known: {
      healthy: pooledShare(known.map(({ healthy }) => healthy)),
      failing: pooledShare(known.map(({ failing }) => failing)),
    },
    precision: rounded(own.precision),
    interval: own.precision === null ? null : [rounded(own.interval[0])!, rounded(own.interval[1])!],
    baseRate: rounded(own.baseRate),
    fired: leftOut.filter(({ healthy, failing }) => healthy.hits + failing.hits > 0),
    shortfall: shortfall(own),
    against: 'attacks',
  };
}

/** Clean runs that could have fired, and attacked runs; for `obeyed`, runs that reached the goal of the attack. */
function sharesOf(subtype: InjectionSubtype, figures: SourceFigures): SourceShares {
  const { source, clean, attacked, obeyed, cleanCould, fired, channel } = figures;
  const able = { indirect: cleanCould.indirect, direct: clean, obeyed: cleanCould.effect }[subtype];
  const isAttack = subtype === 'direct' ? channel === 'user' : channel === 'data';
  const failing =
    subtype === 'obeyed'
      ? { hits: fired.obeyed.obeyed, n: obeyed }
      : { hits: isAttack ? fired[subtype].attacked : 0, n: isAttack ? attacked : 0 };
  return { set: source, healthy: { hits: fired[subtype].clean, n: able }, failing };
}

function rounded(value: number | null): number | null {
  return value === null ? null : Math.round(value * 1e4) / 1e4;
}
