import type { Trace } from '../../../core/trace.ts';
import { memoizeByRef } from '../../_kit/memoize.ts';
import { patchedFiles, pathArgument } from '../calls/argument-roles.ts';
import { type ToolUse, toolUses } from '../calls/calls.ts';
import { isWithin, plainPath } from '../shell/file-path.ts';
import { isReadOnlyCommand } from '../shell/shell.ts';
import { actOf } from './call-acts.ts';
import { isCodeFile } from './code-file.ts';
import { runsProgram } from './program-runs.ts';
import { runOutcome } from './run-outcome.ts';
import { isTestFile, runsTests, SCRATCH } from './test-commands.ts';
import { provesTestRun } from './test-output.ts';
import { directoryOf, workspacesOf } from './workspace.ts';

/** The role of a call in work on code. */
export type WorkKind = 'edit' | 'suite' | 'check' | 'submit' | 'other';

export interface Work {
  use: ToolUse;
  kind: WorkKind;
  /** Result of a check or test run; null if unknown. */
  hasPassed: boolean | null;
}

/** Calls that edit files, run the existing tests (`suite`), run any other check (`check`), or submit the work. */
export const codingWork = memoizeByRef((trace: Trace): readonly Work[] =>
  toolUses(trace).map((use) => {
    const kind = kindOf(trace, use);
    return { use, kind, hasPassed: kind === 'suite' || kind === 'check' ? runOutcome(use) : null };
  }),
);

const CHECK =
  /(?:^|[\s;&|(/])(?:(?:mise|moon|turbo|nx|hatch|pdm|poetry|uv|rake|bundle|deno)(?: run| exec| task)? \S{1,40}|(?:just|task|pre-commit) \S{1,40}|python(?:\d(?:\.\d{1,2})?)?|node|ruby|perl|php|deno|bun|ts-node|tsx|java|go (?:run|build|vet)|cargo (?:run|build|clippy)|tsc|mypy|pyright|ruff|flake8|pylint|eslint|biome|gcc|g\+\+|clang|rustc|javac|make|cmake|(?:npm|pnpm|yarn|bun)(?: run)? (?:build|lint|start|typecheck|\S{1,20})|mvn|gradle|gradlew|dotnet|curl|docker|bash|sh)(?=$|[\s;&|)])|(?:^|[\s;&|])\.\/[\w./-]{1,80}/m;
const SUBMIT = /(?:^|[\s;&|])(?:submit|git (?:commit|push)|gh pr create)(?=$|[\s;&|])/;
/** `echo ALL_DONE`: one word in capitals, or several joined words, printed for the program that runs the agent. */
const MARKER =
  /^echo\s{1,4}["']?[<[]{0,2}(?:[A-Z]{4,40}|[A-Za-z0-9]{1,40}(?:[_-][A-Za-z0-9]{1,40}){1,8})[>\]]{0,2}["']?$/;
/** What may accompany a marker: commands that show or stage the change, or clean up. */
const CLOSES = /^(?:git (?:add|diff|status|show|format-patch)|rm|cd|cat|true|exit)\b/;
const EDITING_SHELL =
  /\bsed\s(?:[^\n]{0,20}\s)?-(?:[a-zA-Z]{0,6}i|-in-place)|\bgit\s(?:apply|am|checkout|revert|stash)\b|(?:^|[\s;&|])(?:patch|ed)\s|\bperl\s-[a-z]{0,4}i/m;
const WRITTEN_FILE = /(?:>>?|\btee(?: -a)?)\s{0,4}["']?([\w./~-]{1,200}\.[A-Za-z]{1,8})\b/g;
const SCRIPT_WRITES = /["'](?:w|a|r\+)b?["']\s?\)|\.write_text\(|writeFileSync\(|fs\.writeFile/;
function kindOf(trace: Trace, use: ToolUse): WorkKind {
  if (use.refusal !== null) return 'other';
  switch (actOf(trace, use)) {
    // The result of a long-running command arrives with a later poll.
    case 'wait':
      return use.command === null && isFinished(use) && provesTestRun(use) ? 'suite' : 'other';
    case 'command':
      return kindOfCommand(trace, use, use.command!);
    case 'hand_in':
      return 'submit';
    case 'tests':
      return 'suite';
    case 'code':
      return 'check';
    case 'edit':
      return isCodeEdit(trace, use) ? 'edit' : 'other';
    default:
      return 'other';
  }
}

const RUNNING = /\b(?:process running|still running|is running|running with session)\b/i;

function isFinished({ outcome, resultText }: ToolUse): boolean {
  return outcome !== null ? outcome.exitCode !== null : !RUNNING.test(resultText);
}

function isCodeEdit(trace: Trace, use: ToolUse): boolean {
  if (use.isError) return false;
  const patched = patchedFiles(use.arguments);
  if (patched.length > 0) return patched.some((path) => isSource(trace, use, path));
  const path = pathArgument(use.arguments)?.path ?? null;
  return path === null ? /patch|diff|editor/i.test(use.name) : isSource(trace, use, path);
}

/** Whether an edit changes only tests. */
export function editsTestsOnly(use: ToolUse): boolean {
  const paths = patchedFiles(use.arguments);
  const path = pathArgument(use.arguments)?.path ?? null;
  const all = paths.length > 0 ? paths : path === null ? [] : [path];
  return all.length > 0 && all.every(isTestFile);
}

/** Files in the session folder are source code, also below `/tmp`: CI runs keep their projects there. */
function isSource(trace: Trace, use: ToolUse, path: string): boolean {
  if (!isCodeFile(path) || SCRATCH.test(path)) return false;
  const plain = plainPath(path, directoryOf(trace, use)) ?? path;
  const isInside = workspacesOf(trace).some((folder) => isWithin(plain, folder));
  return isInside || !TEMPORARY.test(plain);
}

const TEMPORARY = /^(?:\/private|\/var)?\/tmp\//;
const MAX_COMMAND_LENGTH = 6000;

function kindOfCommand(trace: Trace, use: ToolUse, whole: string): WorkKind {
  const command = whole.slice(0, MAX_COMMAND_LENGTH);
  const { shell, after } = withoutHeredocs(command);
  const isReading = isReadOnlyCommand(shell);
  const isSuite = !isReading && runsTests(trace, use, shell);
  if ((SUBMIT.test(command) || printsMarker(trace, use, command)) && !isSuite) return 'submit';
  if (shell === command && isReading) return 'other';
  if (isSuite) return 'suite';
  // Running a file that the agent has just written is a check of it.
  if (CHECK.test(after) || runsProgram(after)) return 'check';
  if (writesSource(trace, use, command, shell)) return 'edit';
  if (isReading) return 'other';
  if (!SCRATCH.test(shell) && provesTestRun(use)) return 'suite';
  return CHECK.test(shell) || runsProgram(shell) ? 'check' : 'other';
}

/** Whether the last call of the run prints a marker for the program that runs the agent, and changes nothing. */
function printsMarker(trace: Trace, use: ToolUse, command: string): boolean {
  if (!command.includes('echo ') || toolUses(trace).at(-1)?.step !== use.step) return false;
  const parts = command.split(/&&|[;\n]/).flatMap((part) => (part.trim() === '' ? [] : [part.trim()]));
  return parts.some((part) => MARKER.test(part)) && parts.every((part) => MARKER.test(part) || CLOSES.test(part));
}

const HEREDOC = /<<-?\s{0,4}["']?(\w{1,40})["']?/;

/** The commands without their heredoc texts, and the commands that follow a heredoc. */
function withoutHeredocs(command: string): { shell: string; after: string } {
  const kept: string[] = [];
  const after: string[] = [];
  let end: string | null = null;
  let hasText = false;
  for (const line of command.split('\n')) {
    if (end !== null) {
      if (line.trim() === end) end = null;
      continue;
    }
    const heredoc = HEREDOC.exec(line);
    end = heredoc?.[1] ?? null;
    const own = heredoc === null ? line : line.replace(HEREDOC, ' ');
    kept.push(own);
    if (hasText && heredoc === null) after.push(own);
    // `cat > a.py <<EOF && python a.py` runs the second command after the heredoc ends.
    if (heredoc !== null) after.push(/(?:&&|;|\|).*/.exec(line.slice(heredoc.index + heredoc[0].length))?.[0] ?? '');
    hasText ||= heredoc !== null;
  }
  return { shell: kept.join('\n'), after: after.join('\n') };
}

function writesSource(trace: Trace, use: ToolUse, command: string, shell: string): boolean {
  if (EDITING_SHELL.test(shell)) return true;
  const isScript = /\bpython3?\b[^\n]{0,40}(?:-c|-|<<)/.test(shell) || shell !== command;
  const written = [...shell.matchAll(WRITTEN_FILE), ...command.slice(0, 400).matchAll(WRITTEN_FILE)];
  if (written.some(([, path]) => isSource(trace, use, path!) && /[/]/.test(path!))) return true;
  return isScript && written.length === 0 && SCRIPT_WRITES.test(command);
}
