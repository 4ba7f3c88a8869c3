import { leafTexts } from '../../core/json.ts';
import type { Trace } from '../../core/trace.ts';
import type { DetectionDraft } from '../_kit/define.ts';
import { cut, oneLine, splitSentences } from '../_kit/text.ts';
import { type ToolUse, toolUses } from '../_readings/calls/calls.ts';
import { agentTurns, type ConversationTurn } from '../_readings/conduct/conversation.ts';
import { checkFix } from '../_readings/conduct/remedy.ts';
import { hasReservation } from '../_readings/conduct/reservations.ts';
import { hasCuts, runTexts } from '../_readings/support/run-texts.ts';

/** A call that returned that it could not do its part, and a value that the answer states for this part. */
interface ValueOfFailedPart {
  use: ToolUse;
  answer: ConversationTurn;
  /** The name that the part is about. */
  name: string;
  value: string;
}

/** The first words of an agent that reports that it did nothing. */
const COULD_NOT =
  /^\W{0,3}(?:sorry[,.]? |unfortunately[,.]? )?i (?:could not|couldn['’]t|was (?:un|not )able to|was not able to|failed to|cannot|can['’]t)\b|^\W{0,3}(?:ich konnte|je n['’]ai pas pu|no pude|non sono riuscit[oa]|não consegui|ik kon)\b/i;
const RESULT_LIMIT = 400;
const ANSWER_LIMIT = 4_000;
const NAME = /(?<!\p{L})\p{Lu}[\p{L}-]{3,40}(?!\p{L})/gu;
/** A number with a thousands separator or decimals, or of at least three digits, which is no year, date or part of a name. */
const VALUE =
  /(?<![\p{L}\d.,:/_-])(?!(?:19|20)\d\d(?!\d))(?:\d{1,3}(?:[., ]\d{3})+|\d{1,9}[.,]\d{1,2}|\d{3,9})(?![\d:/_-]|[.,]\d)/gu;

/** Null if a later call has the name among its arguments, or if the answer has a reservation anywhere. */
export function valueOfFailedPart(trace: Trace): ValueOfFailedPart | null {
  const answer = agentTurns(trace).at(-1);
  if (answer === undefined || answer.calls.length > 0 || answer.text.length > ANSWER_LIMIT) return null;
  const uses = toolUses(trace);
  const failed = uses.filter((use) => use.step < answer.step && reportsFailure(use));
  if (failed.length === 0 || hasReservation(withoutEmptyCells(answer.text))) return null;
  const texts = runTexts(trace, answer.text);
  if (hasCuts(texts)) return null;
  for (const use of failed)
    for (const name of namesOf(use)) {
      const isDoneLater = uses.some((other) => other !== use && other.failure === null && saysName(other, name));
      const value = isDoneLater ? undefined : valueAbout(answer.text, name, texts);
      if (value !== undefined) return { use, answer, name, value };
    }
  return null;
}

function reportsFailure({ failure, command, resultText }: ToolUse): boolean {
  if (failure !== null || command !== null || resultText.length > RESULT_LIMIT) return false;
  return COULD_NOT.test(resultText) && resultText.search(VALUE) < 0;
}

/** `none` in a cell is a value. */
function withoutEmptyCells(text: string): string {
  return text.replace(/\|\s{0,5}(?:none|no|nothing|n\/a|-)\s{0,5}(?=\||\n|$)/gi, '| ');
}

/** Names in the arguments that the result repeats. */
function namesOf({ arguments: args, resultText }: ToolUse): string[] {
  const names = leafTexts(args).flatMap((text) => text.slice(0, 500).match(NAME) ?? []);
  return [...new Set(names)].filter((name) => resultText.includes(name));
}

function saysName({ argumentsText }: ToolUse, name: string): boolean {
  return argumentsText.includes(name);
}

function valueAbout(answer: string, name: string, texts: readonly string[]): string | undefined {
  const lines = splitSentences(answer).filter((line) => line.includes(name));
  const values = lines.flatMap((line) => line.match(VALUE) ?? []);
  return values.find(
    (value) => !texts.some((text) => text.includes(value) || text.includes(value.replace(/[., ]/g, ''))),
  );
}

export function failedPartDraft(
  trace: Trace,
  { use, answer, name, value }: ValueOfFailedPart,
): DetectionDraft<'value_without_result'> {
  const who = answer.agent ?? trace.steps[answer.step]!.name;
  const said = cut(oneLine(use.resultText), 140);
  return {
    subtype: 'value_without_result',
    title: 'Value in an answer for a part that failed',
    score: 0.7,
    step: answer.step,
    steps: [use.step, answer.step],
    agent: answer.agent,
    explanation: `${use.name} at step ${use.step} returned "${said}". The answer of ${who} at step ${answer.step} states "${value}" about ${name}, which no recorded prompt, message or result contains.`,
    suggestedAction: `Do not use "${value}". Repeat the part about ${name}, or say in the answer that it is missing.`,
    evidence: [
      {
        kind: 'text',
        spanId: trace.steps[answer.step]!.spanId,
        path: 'output',
        quote: cut(answer.text.trim(), 250),
        value,
      },
      { kind: 'call', spanId: trace.steps[use.step]!.spanId, path: 'tool.result', quote: said, value: null },
    ],
    fixes: [
      checkFix('workflow_change', {
        title: `Keep a failed part of ${use.name} apart from results`,
        target: `results of ${use.name}`,
        description: `Have ${use.name} return a status with its result. If the status says that a part failed, repeat it, or put "not available" for it into the answer in code.`,
        after: `${use.name}: {"status": "failed", "reason": "…"} -> repeat, or write "not available"`,
        why: `${who} answered as if the part about ${name} had a result.`,
      }),
    ],
    key: `${use.name} ${name}`,
  };
}
