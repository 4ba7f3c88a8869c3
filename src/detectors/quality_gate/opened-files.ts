import type { Trace } from '../../core/trace.ts';
import { cut, oneLine, withoutFences } from '../_kit/text.ts';
import { type ToolUse, toolUses } from '../_readings/calls/calls.ts';
import { isCodeFile } from '../_readings/conduct/code-file.ts';
import { agentTurns, type ConversationTurn } from '../_readings/conduct/conversation.ts';
import { isTestFile } from '../_readings/conduct/test-commands.ts';
import { baseName } from '../_readings/shell/file-path.ts';
import { splitSentences } from '../_readings/support/sentences.ts';

/** A source file that a call names itself or shows as the only one. */
export interface OpenedFile {
  path: string;
  /** The last call on it. */
  step: number;
  calls: number;
}

const ARGUMENT_CHARACTERS = 300;
const HEAD_CHARACTERS = 200;
const WORD = /[\w./~-]{1,300}/g;

/** Files that calls before the step opened, without those in `own`: first source files, then tests, each with the most calls first. */
export function openedFiles(trace: Trace, step: number, own: ReadonlySet<string>): OpenedFile[] {
  const found = new Map<string, OpenedFile>();
  for (const use of toolUses(trace)) {
    if (use.step >= step || use.isError) continue;
    const path = openedBy(use);
    if (path === null || own.has(baseName(path))) continue;
    const key = path.split('/').slice(-2).join('/');
    found.set(key, { path, step: use.step, calls: (found.get(key)?.calls ?? 0) + 1 });
  }
  const isTest = ({ path }: OpenedFile) => Number(isTestFile(path));
  return [...found.values()].sort((a, b) => isTest(a) - isTest(b) || b.calls - a.calls || b.step - a.step);
}

/** Named in the arguments, or alone in the first line of the result with other words: a line of a list is only the path. */
function openedBy({ argumentsText, resultText }: ToolUse): string | null {
  const named = pathsIn(argumentsText.slice(0, ARGUMENT_CHARACTERS));
  if (named.length > 0) return named.at(-1)!;
  const [head = ''] = resultText.trimStart().slice(0, HEAD_CHARACTERS).split('\n');
  const [path, ...others] = pathsIn(head);
  return path === undefined || others.length > 0 || /^[./~]{0,2}[\w/]/.test(head) ? null : path;
}

function pathsIn(text: string): string[] {
  return (text.match(WORD) ?? []).filter((word) => word.includes('/') && isCodeFile(word));
}

const REASON_CHARACTERS = 320;
/** Words with which an English sentence concedes that something is not done. */
const CONCEDES =
  /\b(?:cannot|can['’]?t|could not|couldn['’]?t|unable|without|not (?:possible|able)|outside of?|limitations?)\b/i;

/**
 * The agent's reason for its submission: the last sentence before it that concedes something, otherwise the last sentence.
 * Messages end with the conclusion.
 */
export function reasonBefore(trace: Trace, step: number): string {
  const turn = agentTurns(trace).findLast((each) => each.step < step);
  const sentences = turn === undefined ? [] : sentencesOf(turn);
  const reason = sentences.findLast((sentence) => CONCEDES.test(sentence)) ?? sentences.at(-1);
  return reason === undefined
    ? ''
    : ` Before it, at step ${turn!.step}, it wrote: "${cut(reason, REASON_CHARACTERS)}".`;
}

/** Step of the agent's last message before a submission if it concedes something; else null. */
export function givenUpAt(trace: Trace, before: number): number | null {
  const turn = agentTurns(trace).findLast((each) => each.step < before);
  return turn !== undefined && sentencesOf(turn).some((sentence) => CONCEDES.test(sentence)) ? turn.step : null;
}

function sentencesOf({ text }: ConversationTurn): string[] {
  const prose = withoutFences(text).trim();
  const sentences = splitSentences(prose).map((sentence) => oneLine(sentence.text));
  return sentences.length > 0 || prose === '' ? sentences : [oneLine(prose)];
}

const FOLDER = /\b(?:current|working) (?:directory|folder)(?: is)?:? {0,4}[`"']?(\/[\w.@~/-]{1,200})/i;

/** The working folder that a message before the first call names; null if none does. */
export function statedFolder(trace: Trace): StatedFolder | null {
  const firstCall = toolUses(trace)[0]?.step ?? 0;
  for (const { index, kind, output } of trace.steps) {
    if (index >= firstCall) return null;
    const [, path] = (kind === 'message' && FOLDER.exec(output)) || [];
    if (path !== undefined && path !== '/') return { path, step: index };
  }
  return null;
}

export interface StatedFolder {
  path: string;
  step: number;
}
