import type { Trace } from '../../../core/trace.ts';
import { memoizeByRef } from '../../_kit/memoize.ts';
import { withoutVolatile } from '../../_kit/normalise.ts';
import { textKey } from '../../_kit/text.ts';
import { hasKnownEffect, isLookup, outputText, type ToolUse, toolUses } from '../calls/calls.ts';
import { isReadOnlyCommand } from '../shell/shell.ts';
import { actOf } from './call-acts.ts';
import { type ConversationTurn, conversation } from './conversation.ts';
import { codeOf } from './executions.ts';
import { hasFailureForm, isShellMessage } from './failure-form.ts';
import { runOutcome, statedVerdict } from './run-outcome.ts';
import { isSubmissionName } from './submissions.ts';

/** A tool call, or code in a message that an executor ran, with its result. */
export interface Attempt {
  step: number;
  /** Step of the answer that contains the call or the code, if another agent ran it; else `step`. */
  requestedAt: number;
  /** Agent that requested it. */
  agent: string | null;
  /** Tool, or the agent that ran the code. */
  by: string;
  /** The normalised call. */
  request: string;
  /** The unmodified result. */
  result: string;
  /** Hash of the result without times, places and the echo of the call; equal results have equal keys. */
  readonly answer: string;
  /** Whether the result has the form of a failure; null if the form does not say. */
  readonly hasFailed: boolean | null;
  /** Whether the call only reads. */
  isLookup: boolean;
  /**
   * Whether its name, its arguments or its result are those of a change or a run. Neither this nor `isLookup` is true for a tool
   * whose name does not say what it does.
   */
  hasEffect: boolean;
  /** Shell command; null for other calls. */
  command: string | null;
  /** Calls of one model message run in parallel; null if unknown. */
  messageId: string | null;
}

/** Attempts in order, without polls and refused calls. Computed once per trace. */
export const attemptsIn = memoizeByRef((trace: Trace): readonly Attempt[] => {
  const uses = toolUses(trace).filter((use) => use.refusal === null && actOf(trace, use) !== 'wait');
  return uses.length > 0 ? uses.map((use) => attemptOf(trace, use)) : executedCode(trace);
});

/** Attempts without the calls that submit the work. */
export const workAttempts = memoizeByRef((trace: Trace): readonly Attempt[] =>
  attemptsIn(trace).filter(({ by, request }) => !isSubmissionName(trace, by) && !isSubmissionName(trace, request)),
);

function attemptOf(trace: Trace, use: ToolUse): Attempt {
  const result = outputText(use);
  const isLooking = use.command === null ? isLookup(use.name) : isReadOnlyCommand(use.command);
  const parts = {
    step: use.step,
    requestedAt: use.requestedAt,
    agent: use.agent,
    by: use.name,
    request: use.argumentsText,
    result,
    isLookup: isLooking,
    hasEffect: !isLooking && (use.command !== null || hasKnownEffect(use.name) || EFFECTS.has(actOf(trace, use))),
    command: use.command,
    messageId: use.messageId,
  };
  return withReading(parts, codeOf(use), () => {
    // `grep` and `diff` exit with 1 if they find nothing. That is a result.
    const act = actOf(trace, use);
    const isRun = act === 'code' || act === 'tests';
    // The exit code of a run of several code blocks is that of one of them.
    if (isRun && statedVerdict(result, use.command ?? use.argumentsText) === true) return null;
    const isNothingFound = use.command !== null && isLooking && !hasFailureForm(ends(result));
    if (use.isError) return isNothingFound ? null : true;
    const outcome = use.command === null && use.outcome === null ? null : runOutcome(use);
    // The exit code of the program takes precedence over its output.
    if (outcome !== null) return outcome ? false : isNothingFound ? null : true;
    if (use.command !== null && isOnlyComplaint(use.command, result)) return true;
    return !isLooking && hasFailureForm(ends(result)) ? true : null;
  });
}

const EFFECTS: ReadonlySet<string> = new Set(['edit', 'tests', 'code', 'hand_in']);

const MAX_COMPLAINTS = 20;
const PROGRAM_MESSAGE = /^([\w.+-]{1,40}): \S/;

/**
 * Whether the whole output of a command consists of messages of the shell and of the programs that the command names. In
 * the output of a command that prints a file, hardly ever does every line have this form.
 */
function isOnlyComplaint(command: string, output: string): boolean {
  const found = lines(output);
  if (found.length === 0 || found.length > MAX_COMPLAINTS) return false;
  const named = new Set(command.match(/[\w.+-]{1,40}/g) ?? []);
  return found.every((line) => isShellMessage(line) || named.has(PROGRAM_MESSAGE.exec(line)?.[1] ?? ''));
}

/** Attempts of chats in which one agent runs the code of the others. */
function executedCode(trace: Trace): Attempt[] {
  const turns = conversation(trace);
  return turns.flatMap((turn, at): Attempt[] => {
    const request = turns[at - 1];
    if (turn.by !== 'executor' || request === undefined) return [];
    const { step, agent, text: result } = turn;
    const by = agent ?? trace.steps[step]!.name;
    const parts = { step, requestedAt: request.step, agent: request.agent, by, request: codeIn(request), result };
    return [
      withReading(
        { ...parts, isLookup: false, hasEffect: true, command: null, messageId: null },
        parts.request,
        () => (statedVerdict(result, request.text) !== true && hasFailureForm(ends(result))) || null,
      ),
    ];
  });
}

function codeIn({ text }: ConversationTurn): string {
  const blocks = text.split('```').filter((_, at) => at % 2 === 1);
  return (blocks.length === 0 ? text : blocks.join('\n')).replace(/\s+/g, ' ').trim();
}

type AttemptParts = Omit<Attempt, 'answer' | 'hasFailed'>;

/** `answer` and `hasFailed` are computed on first access. */
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
/** Line and column numbers in a file, which move with every edit above them. */
const PLACE = /\bline \d{1,7}\b|:\d{1,7}\b/g;

function normalAnswer(result: string, request: string): string {
  const own = new Set(lines(request));
  const all = lines(ends(result));
  const kept = all.filter((line) => !own.has(line) && !MARKER.test(line));
  return withoutVolatile((kept.length === 0 ? all : kept).join('\n')).replace(PLACE, ':#');
}

/** A line that marks a part of the line above it. */
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
