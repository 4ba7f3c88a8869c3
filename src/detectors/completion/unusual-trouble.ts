import type { Trace } from '../../core/trace.ts';
import { rankSteps } from '../_attribution/rank-steps.ts';
import { rankedRisk } from '../_attribution/ranked-risk.ts';
import { RISK_COLUMN_COUNT, riskColumns, TROUBLE_COLUMNS } from '../_attribution/run-columns.ts';
import { isWhole } from '../_kit/completeness.ts';
import type { TrafficReference } from '../_kit/traffic-reference.ts';
import type { Verdict } from './verdict.ts';

/** Scores that correspond to `warning` and `info` at most: the rank says that a run is in trouble, not what is wrong. */
const WARNING_SCORE = 0.58;
const INFO_SCORE = 0.45;

/** A run with more signs of trouble than nearly all others of the same traffic group. Silent until that group is known. */
export function unusualTrouble(trace: Trace, traffic: TrafficReference | undefined): Verdict | null {
  if (traffic === undefined || !isWhole(trace)) return null;
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
  signs: readonly Sign[],
  rank: number,
  { runs, share, warningFrom }: TrafficReference,
): Verdict {
  const { tool, agent: own, name } = trace.steps[step]!;
  const place = tool?.name ?? own ?? name;
  const texts = signs.map(({ text }) => text).join(', ');
  return {
    subtype: 'unusual_trouble',
    score: warningFrom !== null && rank >= warningFrom ? WARNING_SCORE : INFO_SCORE,
    step,
    steps: [step],
    agent,
    explanation: `This run has more signs of trouble than all but ${percent(share)} of your last ${runs} runs of this framework: ${texts}. This is a rank within your own traffic and does not prove a failure. Check step ${step} (${place}) first.`,
    suggestedAction: `Check whether the run reached its goal, starting at step ${step}.`,
    evidence: [{ kind: 'sign', step, path: null, quote: texts }],
    fix: {
      fixType: 'workflow_change',
      title: 'Check this run first',
      description: `Compare step ${step} (${place}) with the same step of a run that succeeded, and add a check of what differs: ${signs[0]!.text}.`,
      rationale:
        'Among similar runs, those with more of these signs failed more often. On some traffic this order is hardly better than chance.',
      confidence: 0.3,
      risk: 'low',
      changes: [
        {
          target: place,
          format: 'text',
          before: null,
          after: `After ${place}: check the result before the next step.`,
        },
      ],
      isBreaking: false,
      requiresTesting: true,
    },
    key: signs[0]!.name,
  };
}

interface Sign {
  /** Column of the run; part of the fingerprint. */
  name: string;
  text: string;
}

const SIGN_TEXTS: Readonly<Record<string, string>> = {
  callErrorShare: 'a larger share of calls that failed',
  correctedWrites: 'more changes repeated with other arguments',
  endsInError: 'an error at its end',
  lastTestFailed: 'a failed last test',
  furtherWrites: 'more changes after the first',
  repeats: 'more repeated calls',
  edits: 'more edits of files',
  newFiles: 'more new files',
  namedFiles: 'more files read or changed',
  untested: 'edits after which no test ran',
  conditions: 'more conditional sentences',
  guesses: 'more words of guessing',
  negations: 'more negations',
  'model.searching': 'more words of searching in the answers of the model',
  'model.assumption': 'more words of assumption in the answers of the model',
  modelLength: 'longer answers of the model',
};

/** A run that exceeds the others in no column ranks high because it made no call. */
const NO_CALL: Sign = { name: 'no_call', text: 'no tool call, although similar runs call tools' };
const MAX_SIGNS = 3;
/** Index of the first trouble column; the columns of the run's size come before. */
const FIRST_TROUBLE = 2;

/** The columns in which the run exceeds the others most, in words. */
function signsOf(columns: Float64Array, reference: readonly Float64Array[]): Sign[] {
  const above = TROUBLE_COLUMNS.map((name, at) => {
    const value = columns[FIRST_TROUBLE + at]!;
    return { name, share: reference.filter((row) => row[FIRST_TROUBLE + at]! < value).length / reference.length };
  });
  const highest = above.filter(({ share }) => share > 0.5).sort((one, other) => other.share - one.share);
  const signs = highest.slice(0, MAX_SIGNS).map(({ name }) => ({ name, text: SIGN_TEXTS[name] ?? name }));
  return signs.length > 0 ? signs : [NO_CALL];
}

function percent(share: number): string {
  return `${Number((share * 100).toPrecision(2))} %`;
}
