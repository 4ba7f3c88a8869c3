import type { Trace } from '../../core/trace.ts';
import { type RuleName, ruleFindings } from './trail-rules.ts';
import { readTrailRun } from './trail-run.ts';

/** A step that a rule calls wrong, in words for a reader. */
export interface RuleCause {
  /** Index into `Trace.steps`. */
  step: number;
  why: string;
}

/** What each rule has seen in a step, to stand after "because". */
const WORDS: Readonly<Record<RuleName, string>> = {
  'tool-reports-trouble': 'what it called reported trouble',
  'answer-without-tools': 'it answers although no tool or helper was ever used',
  'answer-tool-silent': 'the answer it hands in comes back empty',
  'answer-at-once': 'it answers at once, without a tool or helper',
  'bad-arguments': 'it calls a tool with arguments that the tool does not take',
  'after-failure': 'it goes on from a step that failed',
  'unread-structure': 'it reads a text one character at a time, as if it were a list',
  'asks-nobody': 'it speaks of tools or helpers and calls none',
  'asserts-unseen': 'it states as found what nothing brought in',
  'end-mark-missing': 'its plan lacks the closing mark that the prompt asks for',
  'prints-too-much': 'it prints far more than the prompt allows',
  'cites-uncalled-tool': 'it cites a tool that was never called',
  'abandons-way': 'it leaves what failed and goes another way',
};

/** The step of the surest rule finding in the run; null where no rule speaks up. */
export function ruleCause(trace: Trace): RuleCause | null {
  const [surest] = ruleFindings(readTrailRun(trace), 1);
  const step = surest === undefined ? -1 : trace.steps.findIndex(({ spanId }) => spanId === surest.spanId);
  return surest === undefined || step < 0 ? null : { step, why: WORDS[surest.rule] };
}
