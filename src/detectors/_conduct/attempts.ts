import type { Trace } from '../../core/trace.ts';
import { isLookup, type ToolUse, toolUses } from '../_kit/calls.ts';
import { memoizeByRef } from '../_kit/memoize.ts';
import { withoutVolatile } from '../_kit/normalise.ts';
import { isReadOnlyCommand } from '../_kit/shell.ts';
import { textKey } from '../_kit/text.ts';
import { actOf } from './call-acts.ts';
import { type ConversationTurn, conversation } from './conversation.ts';
import { hasFailureForm } from './failure-form.ts';
import { runOutcome } from './run-outcome.ts';
import { isSubmissionName } from './submissions.ts';

/** Something that was tried and answered: a call of a tool, or code in a message that an executor ran. */
export interface Attempt {
  step: number;
  /** Step of the answer that contains the call or the code, where another agent ran it; else `step`. */
  requestedAt: number;
  /** Who asked for it. */
  agent: string | null;
  /** Tool, or the agent that ran the code. */
  by: string;
  /** What was asked, normalised. */
  request: string;
  /** As it came. */
  result: string;
  /** Of the result without times, places and the echo of what was asked; equal answers have equal keys. */
  readonly answer: string;
  /** Whether the result has the form of a failure; null if its form says nothing. */
  readonly hasFailed: boolean | null;
  /** It only looks something up. */
  isLookup: boolean;
  /** Of a shell; null for other calls. */
  command: string | null;
  /** Calls of one message of a model run in parallel; null if nothing says so. */
  messageId: string | null;
}

/** In order. Polls and refused calls are no attempts. Computed once per trace. */
export const attemptsIn = memoizeByRef((trace: Trace): readonly Attempt[] => {
  const uses = toolUses(trace).filter((use) => use.refusal === null && actOf(trace, use) !== 'wait');
  return uses.length > 0 ? uses.map(attemptOf) : executedCode(trace);
});

/** Without those that submits the work. */
export function workAttempts(trace: Trace): readonly Attempt[] {
  return attemptsIn(trace).filter(
    ({ by, request }) => !isSubmissionName(trace, by) && !isSubmissionName(trace, request),
  );
}

function attemptOf(use: ToolUse): Attempt {
  const result = use.resultText === '' ? (use.failure?.message ?? '') : use.resultText;
  const isLooking = use.command === null ? isLookup(use.name) : isReadOnlyCommand(use.command);
  const parts = {
    step: use.step,
    requestedAt: use.requestedAt,
    agent: use.agent,
    by: use.name,
    request: use.argumentsText,
    result,
    isLookup: isLooking,
    command: use.command,
    messageId: use.messageId,
  };
  return withReading(parts, use.command ?? use.argumentsText, () => {
    // `grep` and `diff` end with 1 where they found nothing: that is an answer.
    const isNothingFound = use.command !== null && isLooking && !hasFailureForm(ends(result));
    if (use.isError) return isNothingFound ? null : true;
    const outcome = use.command === null && use.outcome === null ? null : runOutcome(use);
    // The program's own exit code decides before any line of its output.
    if (outcome !== null) return outcome ? false : isNothingFound ? null : true;
    return !isLooking && hasFailureForm(ends(result)) ? true : null;
  });
}

/** Chats in which one agent runs the code of the others. */
function executedCode(trace: Trace): Attempt[] {
  const turns = conversation(trace);
  return turns.flatMap((turn, at): Attempt[] => {
    const asking = turns[at - 1];
    if (turn.by !== 'executor' || asking === undefined) return [];
    const { step, agent, text: result } = turn;
    const by = agent ?? trace.steps[step]!.name;
    const parts = { step, requestedAt: asking.step, agent: asking.agent, by, request: codeIn(asking), result };
    return [
      withReading(
        { ...parts, isLookup: false, command: null, messageId: null },
        parts.request,
        () => hasFailureForm(ends(result)) || null,
      ),
    ];
  });
}

function codeIn({ text }: ConversationTurn): string {
  const blocks = text.split('```').filter((_, at) => at % 2 === 1);
  return (blocks.length === 0 ? text : blocks.join('\n')).replace(/\s+/g, ' ').trim();
}

type AttemptParts = Omit<Attempt, 'answer' | 'hasFailed'>;

/** The two readings of a result are made when they are first asked for. */
function withReading(parts: AttemptParts, request: string, failed: () => boolean | null): Attempt {
  let answer: string | null = null;
  let hasFailed: boolean | null | undefined;
  return {
    ...parts,
    get answer() {
      answer ??= textKey(normalAnswer(parts.result, request));
      return answer;
    },
    get hasFailed() {
      if (hasFailed === undefined) hasFailed = failed();
      return hasFailed;
    },
  };
}

const READ_CHARACTERS = 8_000;
/** Where in a file, which moves with every edit above it. */
const PLACE = /\bline \d{1,7}\b|:\d{1,7}\b/g;

function normalAnswer(result: string, request: string): string {
  const own = new Set(lines(request));
  const kept = lines(withoutVolatile(ends(result))).filter((line) => !own.has(line) && !MARKER.test(line));
  return kept.join('\n').replace(PLACE, ':#');
}

/** Points at the part of the line above it. */
const MARKER = /^[\^~ ]{1,400}$/;

function lines(text: string): string[] {
  return text
    .split(/\n|\\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

function ends(text: string): string {
  return text.length <= READ_CHARACTERS
    ? text
    : `${text.slice(0, READ_CHARACTERS / 2)}\n${text.slice(-READ_CHARACTERS / 2)}`;
}
