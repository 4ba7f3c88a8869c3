import type { Step, Trace } from '../../core/trace.ts';
import { isWhole } from '../_kit/completeness.ts';
import type { DetectionDraft } from '../_kit/define.ts';
import { cut, joined, withoutFences } from '../_kit/text.ts';
import { fileChange, pathArgument } from '../_readings/calls/argument-roles.ts';
import { type ToolUse, toolUses } from '../_readings/calls/calls.ts';
import { type ConversationTurn, conversation } from '../_readings/conduct/conversation.ts';
import { endsWithQuestion } from '../_readings/conduct/open-question.ts';
import { repairFix, ruleFix } from '../_readings/conduct/remedy.ts';
import { baseName } from '../_readings/shell/file-path.ts';
import { withoutLinks } from '../_readings/support/exact-values.ts';
import { hasCuts } from '../_readings/support/run-texts.ts';

/** A file that the user named and the run does not mention, and a file of the same kind that the run wrote. */
export interface OtherFile {
  named: readonly string[];
  givenAt: number;
  /** The first call that wrote another file. */
  use: ToolUse;
  written: string;
}

/** Longer messages contain material, such as a report or a log. */
const MAX_MESSAGE_LENGTH = 1_500;
const MAX_NAMES = 4;
/** `notes.txt`, `src/greet.sh`. The extension of a name such as `Node.js` is no kind of file. */
const FILE_NAME =
  /(?<![\p{L}\p{N}@._-])(?:[\w.-]{1,60}\/){0,8}[\p{L}\p{N}_-]{2,80}\.(?!js\b|io\b|net\b|com\b|org\b)[a-z][a-z0-9]{0,4}(?![\p{L}\p{N}_@])/gu;

/**
 * The user named files, no call, result or text of the run contains one of them, and the run wrote a file with the same
 * extension that neither the user nor a result names. Null if any other text of the run mentions the file.
 */
export function findOtherFile(trace: Trace): OtherFile | null {
  const requests = requestsOf(trace);
  const named = namedFiles(trace);
  if (named.length === 0 || named.length > MAX_NAMES || !isWhole(trace) || trace.status === 'error') return null;
  const uses = toolUses(trace);
  const writes = uses.filter((use) => !use.isError && use.refusal === null && fileChange(use.arguments) === 'content');
  if (writes.length === 0 || endsWithQuestion(trace)) return null;
  const texts = ownTexts(trace, requests);
  if (hasCuts(texts)) return null;
  const missing = named.filter(({ name }) => !texts.some((text) => text.includes(baseName(name))));
  for (const use of writes) {
    const written = baseName(pathArgument(use.arguments)!.path);
    const ofKind = missing.filter(({ name }) => extensionOf(name) === extensionOf(written));
    const isKnown = requests.some(({ text }) => text.includes(written)) || isListed(uses, use, written);
    if (ofKind.length > 0 && !isKnown)
      return { named: [...new Set(ofKind.map(({ name }) => name))], givenAt: ofKind[0]!.step, use, written };
  }
  return null;
}

/** Files that the short messages of the user name, with the step of the message. */
export function namedFiles(trace: Trace): { name: string; step: number }[] {
  const requests = requestsOf(trace).filter(({ text }) => text.length <= MAX_MESSAGE_LENGTH);
  return requests.flatMap(({ step, text }) => fileNames(text).map((name) => ({ name, step })));
}

/** Messages of the user. If several agents act, only the first one: their prompts have the form of user messages, too. */
function requestsOf(trace: Trace): readonly ConversationTurn[] {
  const turns = conversation(trace);
  const own = turns.filter(({ by }) => by === 'user');
  const agents = new Set(turns.filter(({ by }) => by === 'agent').map(({ agent }) => agent));
  return agents.size > 1 ? own.slice(0, 1) : own;
}

function fileNames(text: string): string[] {
  return [...new Set(withoutLinks(withoutFences(text)).match(FILE_NAME) ?? [])];
}

function extensionOf(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1).toLowerCase();
}

/** Whether a result before the call names the file: it was there before. */
function isListed(uses: readonly ToolUse[], { step }: ToolUse, name: string): boolean {
  return uses.some((use) => use.step < step && use.resultText.includes(name));
}

/** Calls, results, texts of agents and prompts that do not repeat a request of the user. */
function ownTexts(trace: Trace, requests: readonly ConversationTurn[]): string[] {
  const starts = requests.map(({ text }) => text.trim().slice(0, START_CHARACTERS));
  const isRequest = (text: string) => starts.some((start) => text.includes(start));
  return [...trace.steps.flatMap(textsOf), ...toolUses(trace).flatMap(useTexts)].filter(
    (text) => text !== '' && !isRequest(text),
  );
}

const START_CHARACTERS = 60;

function textsOf({ input, output, tool, inputMessages, outputMessages }: Step): string[] {
  const messages = [...inputMessages, ...outputMessages].flatMap(({ content, toolCalls }) => [
    content,
    ...toolCalls.map((call) => JSON.stringify(call.arguments)),
  ]);
  const call = tool === null ? [] : [JSON.stringify(tool.arguments), JSON.stringify(tool.result)];
  return [input, output, ...call, ...messages];
}

function useTexts({ arguments: args, resultText }: ToolUse): string[] {
  return [typeof args === 'string' ? args : JSON.stringify(args), resultText];
}

const SCORE = 0.72;

export function otherFileDetection(
  trace: Trace,
  { named, givenAt, use, written }: OtherFile,
): DetectionDraft<'other_file'> {
  const who = use.agent ?? trace.steps[use.step]!.name;
  const files = joined(named.map((name) => cut(name, 80)));
  return {
    subtype: 'other_file',
    score: SCORE,
    step: use.step,
    steps: [use.step, givenAt],
    agent: use.agent,
    explanation: `The user named ${files} at step ${givenAt}. No call, result or text of the run contains ${named.length === 1 ? 'that name' : 'those names'}. At step ${use.step} ${who} wrote ${cut(written, 80)}, which the user did not name.`,
    suggestedAction: `Have ${who} write ${files} instead of ${cut(written, 80)}, and pass the names in the request on to the agent that makes the call.`,
    evidence: [
      {
        kind: 'source',
        spanId: trace.steps[givenAt]!.spanId,
        path: trace.steps[givenAt]!.output.includes(named[0]!) ? 'output' : 'input_messages',
        quote: named[0]!,
        value: null,
      },
      {
        kind: 'call',
        spanId: trace.steps[use.step]!.spanId,
        path: 'tool.arguments',
        quote: cut(`${use.name} ${use.argumentsText}`, 280),
        value: null,
      },
    ],
    fixes: [
      repairFix(use.agent, {
        title: `Write ${files}`,
        repair: `Write the content to ${files}, as the user asked, and check that the file exists before you answer.`,
        why: `The run wrote ${cut(written, 80)} and never mentions ${files}.`,
      }),
      ruleFix(trace, use.agent, {
        title: 'Keep the file names of the request',
        rule: 'Use the file names of the request exactly. Before you answer, check that each file that the user named exists or was read.',
        why: `The user named ${files}, and the run wrote ${cut(written, 80)}.`,
      }),
    ],
    key: named[0]!,
  };
}
