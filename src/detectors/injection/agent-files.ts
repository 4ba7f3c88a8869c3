import { isJsonObject } from '../../core/json.ts';
import type { Trace } from '../../core/trace.ts';
import { memoizeByRef } from '../_kit/memoize.ts';
import { type ToolUse, toolUses } from '../_readings/calls/calls.ts';
import { fileReads } from '../_readings/coding/file-reads.ts';
import { conversation } from '../_readings/conduct/conversation.ts';
import { callsOf } from '../_readings/conduct/shell-uses.ts';
import { workspacesOf } from '../_readings/conduct/workspace.ts';
import { baseName, isDisposable, isWithin } from '../_readings/shell/file-path.ts';
import type { OutsideText } from './outside-texts.ts';

/** Files that programs of coding agents read as instructions of the project. */
const FOR_AGENTS =
  /(?:^|\/)(?:SKILL|CLAUDE|AGENTS?|GEMINI|QWEN|copilot-instructions)(?:\.(?:local|override))?\.md$|(?:^|\/)\.(?:cursor|windsurf|cline|github)\/(?:rules|instructions)\/|(?:^|\/)\.(?:cursor|windsurf|cline)rules$|\.(?:instructions|prompt|chatmode|agent)\.md$|\.mdc$/i;
const PROMPT_FILE = /(?:^|[/._-])(?:system[_-]?)?prompts?(?=[/._-])/i;
const PROMPT = /\b(?:system)?prompts?\b/i;
const FOREIGN = /^[a-z][a-z0-9+.-]{1,20}:\/\/|(?:^|\/)(?:vendor|third_party|Downloads|\.\.)\//;

/**
 * Whether a result shows instructions of the user's own project, which agents are meant to follow: a file for agents or a
 * prompt that the user speaks of, in the working folder, or the skill that the call names.
 */
export function isForAgents(trace: Trace, { channel, step, path }: OutsideText): boolean {
  if (channel !== 'data' || path !== 'tool.result') return false;
  const reads = readsByStep(trace).get(step) ?? [];
  const uses = usesByStep(trace).get(step) ?? [];
  if (reads.length > 0) return reads.every((read) => isProjectFile(trace, read.path)) && uses.every(printsFilesOnly);
  return uses.length > 0 && uses.every(isNamedSkill);
}

const readsByStep = memoizeByRef((trace: Trace) => Map.groupBy(fileReads(trace), ({ step }) => step));
const usesByStep = memoizeByRef((trace: Trace) => Map.groupBy(toolUses(trace), ({ step }) => step));

/** Programs whose output beside that of `cat` is no text from elsewhere. */
const PRINTING: ReadonlySet<string> = new Set('cat head tail sed nl bat cd pwd ls echo wc test true'.split(' '));

function printsFilesOnly(use: ToolUse): boolean {
  return callsOf(use).every(({ program, isRemote }) => PRINTING.has(program) && !isRemote);
}

function isProjectFile(trace: Trace, path: string): boolean {
  if (FOREIGN.test(path) || isDisposable(path)) return false;
  const folders = workspacesOf(trace);
  const isAbsolute = path.startsWith('/');
  if (isAbsolute && folders.length > 0 && !folders.some((folder) => isWithin(path, folder))) return false;
  return FOR_AGENTS.test(path) || (PROMPT_FILE.test(path) && isPromptRequested(trace, path));
}

const MAX_REQUEST_LENGTH = 2_000;

/** Whether the user speaks of a prompt, or writes the name of the file. */
function isPromptRequested(trace: Trace, path: string): boolean {
  return conversation(trace).some(
    ({ by, text }) =>
      by === 'user' && text.length <= MAX_REQUEST_LENGTH && (PROMPT.test(text) || text.includes(baseName(path))),
  );
}

const FRONT_MATTER_NAME = /^\s{0,4}---\n(?:description:[^\n]{0,2000}\n)?name: ?["']?([\w.:-]{1,100})["']?\s{0,4}\n/;

/** Whether the result is a skill, as its first lines show, whose name is an argument of the call. */
function isNamedSkill({ arguments: args, resultText }: ToolUse): boolean {
  const name = FRONT_MATTER_NAME.exec(resultText)?.[1];
  return name !== undefined && isJsonObject(args) && Object.values(args).includes(name);
}
