import type { Trace } from '../../core/trace.ts';
import { isLookup, type ToolUse, toolUses } from '../_kit/calls.ts';
import { withoutVolatile } from '../_kit/normalise.ts';
import { onceEach } from '../_kit/once.ts';
import { isReadOnlyCommand } from '../_kit/shell.ts';
import { textKey } from '../_kit/text.ts';
import { actOf } from './call-acts.ts';
import { hasFailureForm } from './failure-form.ts';
import { isHandInName } from './hand-ins.ts';
import { runOutcome } from './run-outcome.ts';
import { conversation, type Said } from './said.ts';

/** Something that was tried and answered: a call of a tool, or code in a message that an executor ran. */
export interface Attempt {
  step: number;
  /** Step of the answer that holds the call or the code, where another agent ran it; else `step`. */
  askedAt: number;
  /** Who asked for it. */
  agent: string | null;
  /** Tool, or the agent that ran the code. */
  by: string;
  /** What was asked, in one spelling. */
  asked: string;
  /** As it came. */
  result: string;
  /** Of the result without times, places and the echo of what was asked; equal answers have equal keys. */
  readonly answer: string;
  /** Whether the result has the form of a failure; null where its form says nothing. */
  readonly hasFailed: boolean | null;
  /** It only looks something up. */
  isLookup: boolean;
  /** Of a shell; null for other calls. */
  command: string | null;
  /** Calls of one message of a model run in parallel; null where nothing says so. */
  messageId: string | null;
}

/** In order. Polls and refused calls are no attempts. Built once a trace. */
export const attemptsIn = onceEach((trace: Trace): readonly Attempt[] => {
  const uses = toolUses(trace).filter((use) => use.refusal === null && actOf(trace, use) !== 'wait');
  return uses.length > 0 ? uses.map(attemptOf) : executedCode(trace);
});

/** Without those that hand the work in. */
export function workAttempts(trace: Trace): readonly Attempt[] {
  return attemptsIn(trace).filter(({ by, asked }) => !isHandInName(trace, by) && !isHandInName(trace, asked));
}

function attemptOf(use: ToolUse): Attempt {
  const result = use.resultText === '' ? (use.failure?.message ?? '') : use.resultText;
  const isLooking = use.command === null ? isLookup(use.name) : isReadOnlyCommand(use.command);
  const told = {
    step: use.step,
    askedAt: use.askedAt,
    agent: use.agent,
    by: use.name,
    asked: use.argumentsText,
    result,
    isLookup: isLooking,
    command: use.command,
    messageId: use.messageId,
  };
  return withReading(told, use.command ?? use.argumentsText, () => {
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
    const told = { step, askedAt: asking.step, agent: asking.agent, by, asked: codeIn(asking), result };
    return [
      withReading(
        { ...told, isLookup: false, command: null, messageId: null },
        told.asked,
        () => hasFailureForm(ends(result)) || null,
      ),
    ];
  });
}

function codeIn({ text }: Said): string {
  const blocks = text.split('```').filter((_, at) => at % 2 === 1);
  return (blocks.length === 0 ? text : blocks.join('\n')).replace(/\s+/g, ' ').trim();
}

type Told = Omit<Attempt, 'answer' | 'hasFailed'>;

/** The two readings of a result are made when they are first asked for. */
function withReading(told: Told, asked: string, failed: () => boolean | null): Attempt {
  let answer: string | null = null;
  let hasFailed: boolean | null | undefined;
  return {
    ...told,
    get answer() {
      answer ??= textKey(normalAnswer(told.result, asked));
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

function normalAnswer(result: string, asked: string): string {
  const own = new Set(lines(asked));
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
