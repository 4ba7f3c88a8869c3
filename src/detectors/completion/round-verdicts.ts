import { isJsonObject, type Json, parseJson } from '../../core/json.ts';
import type { Trace } from '../../core/trace.ts';
import { hasKnownEnd } from '../_kit/completeness.ts';
import { cut, oneLine, stepsText } from '../_kit/text.ts';
import { toolUses } from '../_readings/calls/calls.ts';
import { agentTurns, type ConversationTurn } from '../_readings/conduct/conversation.ts';
import { checkFix } from '../_readings/conduct/remedy.ts';
import { needsAnswer } from './abandoned-run.ts';
import type { Verdict } from './verdict.ts';

/** A workflow with a fixed number of rounds may reject twice and end. */
const MIN_RECORDS = 3;
/** Fields with which an agent states whether the task is done, such as `is_request_satisfied` and `taskComplete`. */
const IS_DONE =
  /^(?:(?:is|has|was)_)?(?:the_)?(?:(?:user_)?(?:task|request|goal|objective|question|problem)_)?(?:(?:is|was|has_been)_)?(?:satisfied|fulfilled|completed?|done|solved|achieved|reached|met|finished|answered|resolved)$/;

interface RoundVerdict {
  step: number;
  field: string;
  isDone: boolean;
  /** Text next to the value; null if the record has none. */
  reason: string | null;
  /** The record from the field on, unmodified. */
  quote: string;
}

/**
 * An agent that states after each round of other agents whether the task is done. All its records say that it is not, and
 * the run ended within the next round: a limit ended it. If an agent acts last that no earlier round began with, it may give
 * the answer by design.
 */
export function roundVerdicts(trace: Trace): Verdict | null {
  if (!hasKnownEnd(trace) || trace.status === 'error' || !needsAnswer(trace)) return null;
  for (const [agent, turns] of Map.groupBy(agentTurns(trace), (turn) => turn.agent)) {
    if (agent === null || turns.length < MIN_RECORDS) continue;
    const records = turns.flatMap((turn) => verdictIn(turn) ?? []);
    for (const own of Map.groupBy(records, ({ field }) => field).values()) {
      if (own.length < MIN_RECORDS || own.some(({ isDone }) => isDone)) continue;
      if (endsWithinRound(trace, agent, own)) return verdictOf(trace, agent, own);
    }
  }
  return null;
}

function verdictIn({ text, step }: ConversationTurn): RoundVerdict | null {
  const start = text.indexOf('{');
  // A verdict is a boolean. Most records have none and are not parsed.
  if (start === -1 || !(text.includes('true', start) || text.includes('false', start))) return null;
  const record = parseJson(text.slice(start, text.lastIndexOf('}') + 1));
  if (record === undefined || !isJsonObject(record)) return null;
  for (const [field, value] of Object.entries(record)) {
    if (!IS_DONE.test(snakeCase(field))) continue;
    const isDone = booleanIn(value);
    if (isDone === null) continue;
    return { step, field, isDone, reason: reasonIn(value), quote: cut(text.slice(text.indexOf(`"${field}"`)), 280) };
  }
  return null;
}

function snakeCase(name: string): string {
  return name.replace(/(?<=\p{Ll})(?=\p{Lu})/gu, '_').toLowerCase();
}

/** The value itself, or the only boolean of an object, which may state a reason next to it. */
function booleanIn(value: Json): boolean | null {
  if (typeof value === 'boolean') return value;
  if (!isJsonObject(value)) return null;
  const flags = Object.values(value).filter((one) => typeof one === 'boolean');
  return flags.length === 1 ? flags[0]! : null;
}

function reasonIn(value: Json): string | null {
  if (!isJsonObject(value)) return null;
  return (Object.values(value).find((one) => typeof one === 'string' && one.trim() !== '') as string | null) ?? null;
}

/** Whether other agents acted between the records, and the last round begins with an agent that began an earlier one. */
function endsWithinRound(trace: Trace, agent: string, records: readonly RoundVerdict[]): boolean {
  const acts = [...agentTurns(trace), ...toolUses(trace)]
    .filter((act) => act.agent !== agent && act.agent !== null)
    .sort((a, b) => a.step - b.step);
  const firsts = records.map(({ step }, at) => {
    const end = records[at + 1]?.step ?? Number.POSITIVE_INFINITY;
    return acts.find((act) => act.step > step && act.step < end)?.agent ?? null;
  });
  const last = firsts.at(-1)!;
  const earlier = firsts.slice(0, -1).filter((name) => name !== null);
  return earlier.length >= MIN_RECORDS - 1 && (last === null || earlier.includes(last));
}

function verdictOf(trace: Trace, agent: string, records: readonly RoundVerdict[]): Verdict {
  const { step, field, reason, quote } = records.at(-1)!;
  const end = trace.steps.length - 1;
  const steps = records.map((record) => record.step);
  const why = reason === null ? '' : ` Its last reason: "${cut(oneLine(reason), 160)}".`.replace('.".', '."');
  return {
    subtype: 'ended_as_failed',
    score: 0.7,
    step,
    steps,
    agent,
    title: 'The run ended before its own condition was met',
    explanation: `${agent} stated ${field}: false in all ${records.length} of its records (${stepsText(steps)}), and the run ended at step ${end}.${why}`,
    suggestedAction: `Read the last reason of ${agent} at step ${step}. If a limit of rounds or of time ended the run, return what is missing instead of an answer, or continue the run with another plan.`,
    evidence: [{ kind: 'text', step, path: 'output', quote }],
    fix: checkFix('workflow_change', {
      title: `Handle runs that end with ${field}: false`,
      target: `end of the rounds of ${agent}`,
      description: `When a limit ends the rounds and the last record of ${agent} says ${field}: false, mark the result as incomplete and pass on the reason that ${agent} gives.`,
      after: `if the rounds are used up and ${field} is false: return the reason, not a final answer`,
      why: `${agent} never stated that the task is done, and the run counts as finished.`,
    }),
    key: agent,
  };
}
