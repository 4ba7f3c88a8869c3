import type { Trace } from '../../core/trace.ts';
import { rankSteps } from '../_attribution/rank-steps.ts';
import { rankedRisk } from '../_attribution/ranked-risk.ts';
import { RISK_COLUMN_COUNT, riskColumns, TROUBLE_COLUMNS } from '../_attribution/run-columns.ts';
import type { TrafficReference } from '../_kit/traffic-reference.ts';
import type { Verdict } from './verdict.ts';

/** Scores that correspond to `warning` and `info` at most: the rank says that a run is in trouble, not what is wrong. */
const WARNING_SCORE = 0.58;
const INFO_SCORE = 0.45;

/** A run with more signs of trouble than nearly all others of the same traffic group. Silent until that group is known. */
export function unusualTrouble(trace: Trace, traffic: TrafficReference | undefined): Verdict | null {
  if (traffic === undefined || !trace.isSettled) return null;
  if (traffic.reference.some((row) => row.length !== RISK_COLUMN_COUNT)) return null;
  const columns = riskColumns(trace);
  const reference = traffic.reference.map((row) => Float64Array.from(row));
  const rank = rankedRisk(columns, reference);
  if (rank < traffic.from) return null;
  const ranked = rankSteps(trace);
  return ranked === null
    ? null
    : verdictOf(trace, ranked.step, ranked.agent, signsOf(columns, reference), rank, traffic);
}

function verdictOf(
  trace: Trace,
  step: number,
  agent: string | null,
  signs: readonly string[],
  rank: number,
  { runs, share, warningFrom }: TrafficReference,
): Verdict {
  const { tool, agent: own, name } = trace.steps[step]!;
  const place = tool?.name ?? own ?? name;
  return {
    subtype: 'unusual_trouble',
    score: warningFrom !== null && rank >= warningFrom ? WARNING_SCORE : INFO_SCORE,
    step,
    steps: [step],
    agent,
    explanation: `By the trouble it shows, this run is among the worst ${percent(share)} of your last ${runs} runs of this framework: ${signs.join(', ')}. That is a rank within your own traffic, not a proof of a failure. Look first at step ${step} (${place}).`,
    suggestedAction: `Check whether the run reached its goal, beginning at step ${step}.`,
    evidence: [{ kind: 'sign', step, path: null, quote: signs.join(', ') }],
    fix: {
      fixType: 'workflow_change',
      title: 'Look at this run first',
      description: `Compare step ${step} (${place}) with the same step of a run that went well, and give the agent a check there for what differs: ${signs[0]}.`,
      rationale:
        'Of similar runs, those with more of these signs are worth a look first; on some traffic this order is little better than chance.',
      confidence: 0.3,
      risk: 'low',
      changes: [
        { target: place, format: 'text', before: null, after: `After ${place}: check the result before going on.` },
      ],
      isBreaking: false,
      requiresTesting: true,
    },
    key: signs[0]!,
  };
}

const SIGN_TEXTS: Readonly<Record<string, string>> = {
  callErrorShare: 'a larger share of calls that failed',
  correctedWrites: 'more changes tried again with other arguments',
  endsInError: 'an error at its end',
  lastTestFailed: 'a failed last test',
  furtherWrites: 'more changes after the first',
  repeats: 'more repeated calls',
  edits: 'more edits of files',
  newFiles: 'more new files',
  namedFiles: 'more files looked at or changed',
  untested: 'edits without a run of the tests',
  conditions: 'more of what could or should be in its words',
  guesses: 'more guessing in its words',
  negations: 'more of what is not so in its words',
  'model.searching': 'more searching in the words of its model',
  'model.assumption': 'more assumptions in the words of its model',
  modelLength: 'longer answers of its model',
};

const MAX_SIGNS = 3;
/** Index of the first trouble column; the columns of the run's size come before. */
const FIRST_TROUBLE = 2;

/** The columns in which the run exceeds the others most, in words. */
function signsOf(columns: Float64Array, reference: readonly Float64Array[]): string[] {
  const above = TROUBLE_COLUMNS.map((name, at) => {
    const value = columns[FIRST_TROUBLE + at]!;
    return { name, share: reference.filter((row) => row[FIRST_TROUBLE + at]! < value).length / reference.length };
  });
  const highest = above.filter(({ share }) => share > 0.5).sort((one, other) => other.share - one.share);
  const signs = highest.slice(0, MAX_SIGNS).map(({ name }) => SIGN_TEXTS[name] ?? name);
  return signs.length > 0 ? signs : ['no call where its like call tools'];
}

function percent(share: number): string {
  return `${Number((share * 100).toPrecision(2))} %`;
}
