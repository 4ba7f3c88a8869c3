import { isJsonObject, type JsonObject } from '../../core/json.ts';
import type { Trace } from '../../core/trace.ts';
import { isPoll } from '../_coding/polling.ts';
import { type ToolUse, toolUses } from '../_kit/calls.ts';
import { isWithin, plainPath } from '../_kit/file-path.ts';
import { onceEach } from '../_kit/once.ts';
import { isReadOnlyCommand } from '../_kit/shell.ts';
import { runOutcome } from './run-outcome.ts';
import { isTestFile, provesTestRun, runsTests, SCRATCH } from './test-commands.ts';
import { directoryOf, workspacesOf } from './workspace.ts';

/** What a call means for work on code. */
export type WorkKind = 'edit' | 'suite' | 'check' | 'submit' | 'other';

export interface Work {
  use: ToolUse;
  kind: WorkKind;
  /** How a check or a test run ended; null where nothing says it. */
  hasPassed: boolean | null;
}

/** Calls that edit files, run the existing tests (`suite`), run anything else that shows a fault (`check`), or hand in. */
export const codingWork = onceEach((trace: Trace): readonly Work[] =>
  toolUses(trace).map((use) => {
    const kind = kindOf(trace, use);
    return { use, kind, hasPassed: kind === 'suite' || kind === 'check' ? runOutcome(use) : null };
  }),
);

const CHECK =
  /(?:^|[\s;&|(/])(?:(?:mise|moon|turbo|nx|hatch|pdm|poetry|uv|rake|bundle|deno)(?: run| exec| task)? \S{1,40}|(?:just|task|pre-commit) \S{1,40}|python(?:\d(?:\.\d{1,2})?)?|node|ruby|perl|php|deno|bun|ts-node|tsx|java|go (?:run|build|vet)|cargo (?:run|build|clippy)|tsc|mypy|pyright|ruff|flake8|pylint|eslint|biome|gcc|g\+\+|clang|rustc|javac|make|cmake|(?:npm|pnpm|yarn|bun)(?: run)? (?:build|lint|start|typecheck|\S{1,20})|mvn|gradle|gradlew|dotnet|curl|docker|bash|sh)(?=$|[\s;&|)])|(?:^|[\s;&|])\.\/[\w./-]{1,80}/m;
const SUBMIT = /COMPLETE_TASK_AND_SUBMIT|(?:^|[\s;&|])(?:submit|git (?:commit|push)|gh pr create)(?=$|[\s;&|])/;
const EDITING_SHELL =
  /\bsed\s(?:[^\n]{0,20}\s)?-(?:[a-zA-Z]{0,6}i|-in-place)|\bgit\s(?:apply|am|checkout|revert|stash)\b|(?:^|[\s;&|])(?:patch|ed)\s|\bperl\s-[a-z]{0,4}i/m;
const WRITTEN_FILE = /(?:>>?|\btee(?: -a)?)\s{0,4}["']?([\w./~-]{1,200}\.[A-Za-z]{1,8})\b/g;
const SCRIPT_WRITES = /["'](?:w|a|r\+)b?["']\s?\)|\.write_text\(|writeFileSync\(|fs\.writeFile/;
const EDIT_TOOL =
  /^(?:edit|write|create|replace|multi_?edit|notebook_?edit|apply_?(?:patch|diff)|str_?replace\w{0,30}|replace_in_file|write_(?:to_)?file|create_file|edit_file|insert_(?:code|text|content)\w{0,20}|update_file|patch_file|search_replace|file_edit|fs_write|write_text_file|editor_?\w{0,20})$/i;
const SUITE_TOOL = /^(?:run_?tests?|test|execute_tests?|run_unit_tests?|pytest|check_tests?)$/i;
const CHECK_TOOL =
  /^(?:run_?(?:code|python|script|file|program|lint|linter|build)\w{0,10}|execute_?(?:code|python|script|file)\w{0,10}|python(?:_?interpreter|_?repl)?|code_?interpreter|lint|build|type_?check|get_?(?:errors|diagnostics))$/i;
const SUBMIT_TOOL = /^(?:submit|submit_and_exit|finish|complete|attempt_completion|final_answer|exit_plan_mode)$/i;
const READING_ACTION = new Set(['view', 'read', 'open', 'list', 'undo_edit']);

/** Whether a tool of this name edits files. */
export function isEditTool(name: string): boolean {
  return EDIT_TOOL.test(name);
}

/** Whether a tool of this name hands the work in. */
export function isSubmitTool(name: string): boolean {
  return SUBMIT_TOOL.test(name);
}

function kindOf(trace: Trace, use: ToolUse): WorkKind {
  if (use.refusal !== null) return 'other';
  // The result of a command that runs for long comes with a later look at it.
  if (use.command === null && isPoll(use)) return isFinished(use) && provesTestRun(use) ? 'suite' : 'other';
  if (use.command !== null) return kindOfCommand(trace, use, use.command);
  if (isSubmitTool(use.name)) return 'submit';
  if (SUITE_TOOL.test(use.name)) return 'suite';
  if (CHECK_TOOL.test(use.name)) return 'check';
  return EDIT_TOOL.test(use.name) && isCodeEdit(trace, use) ? 'edit' : 'other';
}

/** Files that a patch in the format of Codex changes. */
function patchedFiles({ arguments: args }: ToolUse): string[] {
  const texts = typeof args === 'string' ? [args] : isJsonObject(args) ? Object.values(args) : [];
  const patch = texts.find((text) => typeof text === 'string' && text.includes('*** Begin Patch'));
  if (typeof patch !== 'string') return [];
  return [...patch.matchAll(/^\*\*\* (?:Update|Add|Delete) File: (\S.{0,300})$/gm)].map(([, path]) => path!.trim());
}

const RUNNING = /\b(?:process running|still running|is running|running with session)\b/i;

function isFinished({ outcome, resultText }: ToolUse): boolean {
  return outcome !== null ? outcome.exitCode !== null : !RUNNING.test(resultText);
}

function isCodeEdit(trace: Trace, use: ToolUse): boolean {
  if (use.isError) return false;
  const patched = patchedFiles(use);
  if (patched.length > 0) return patched.some((path) => isSource(trace, use, path));
  if (!isJsonObject(use.arguments)) return false;
  const { arguments: args } = use;
  if (typeof args.command === 'string' && READING_ACTION.has(args.command)) return false;
  const path = pathOf(args);
  return path === null ? /patch|diff|editor/i.test(use.name) : isSource(trace, use, path);
}

/** Whether an edit changes nothing but tests. */
export function editsTestsOnly(use: ToolUse): boolean {
  const paths = patchedFiles(use);
  const path = isJsonObject(use.arguments) ? pathOf(use.arguments) : null;
  const all = paths.length > 0 ? paths : path === null ? [] : [path];
  return all.length > 0 && all.every(isTestFile);
}

function pathOf(args: JsonObject): string | null {
  const path = args.path ?? args.file_path ?? args.filename ?? args.file ?? args.target_file ?? args.notebook_path;
  return typeof path === 'string' ? path : null;
}

const CODE_FILE =
  /\.(?:py|pyi|ipynb|[cm]?[jt]sx?|java|go|rs|c|cc|cpp|cxx|h|hh|hpp|cs|fs|vb|rb|php|swift|kts?|scala|groovy|sh|bash|ps1|sql|html?|s?css|less|vue|svelte|astro|lua|pl|pm|r|jl|exs?|erl|clj|hs|mli?|zig|nim|dart|m|mm|sol|tf|proto|gradle|cmake)$/i;

/** Whether a file is source code by its name. */
export function isCodeFile(path: string): boolean {
  return CODE_FILE.test(path);
}

/** Files in the folder of the session are source, also below `/tmp`: CI runs have their projects there. */
function isSource(trace: Trace, use: ToolUse, path: string): boolean {
  if (!CODE_FILE.test(path) || SCRATCH.test(path)) return false;
  const plain = plainPath(path, directoryOf(trace, use)) ?? path;
  const isInside = workspacesOf(trace).some((folder) => isWithin(plain, folder));
  return isInside || !TEMPORARY.test(plain);
}

const TEMPORARY = /^(?:\/private|\/var)?\/tmp\//;
const LONGEST_COMMAND = 6000;

function kindOfCommand(trace: Trace, use: ToolUse, whole: string): WorkKind {
  const command = whole.slice(0, LONGEST_COMMAND);
  const { shell, after } = withoutHeredocs(command);
  const isReading = isReadOnlyCommand(shell);
  const isSuite = !isReading && runsTests(trace, use, shell);
  if (SUBMIT.test(command) && !isSuite) return 'submit';
  if (shell === command && isReading) return 'other';
  if (isSuite) return 'suite';
  // A file that is written and then run has been checked.
  if (CHECK.test(after)) return 'check';
  if (writesSource(trace, use, command, shell)) return 'edit';
  if (isReading) return 'other';
  if (!SCRATCH.test(shell) && provesTestRun(use)) return 'suite';
  return CHECK.test(shell) ? 'check' : 'other';
}

const HEREDOC = /<<-?\s{0,4}["']?(\w{1,40})["']?/;

/** The commands without the texts they are given, and those that follow such a text. */
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
    // `cat > a.py <<EOF && python a.py` runs the command after the marker, once the text is read.
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
