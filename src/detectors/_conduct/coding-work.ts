import { isJsonObject } from '../../core/json.ts';
import type { Trace } from '../../core/trace.ts';
import { type ToolUse, toolUses } from '../_kit/calls.ts';
import { onceEach } from '../_kit/once.ts';
import { isReadOnlyCommand } from '../_kit/shell.ts';

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
    const kind = kindOf(use);
    return { use, kind, hasPassed: kind === 'suite' || kind === 'check' ? outcomeOf(use) : null };
  }),
);

/** Not a suite where the file it names is one the agent wrote to try something out. */
const SCRATCH =
  /(?:^|[\s/"'=])(?:repro\w*|debug\w*|try_\w*|scratch\w*|tmp_?\w*|check_\w*|verify_\w*|fix_\w*|update_\w*|apply_\w*|patch_\w*|test_(?:repro|fix|issue)\w*)\.(?:py|js|ts|rb|go|sh|php|java)\b/i;
const SUITE =
  /(?:^|[\s;&|(/])(?:pytest|py\.test|tox|nox|nosetests|runtests(?:\.py)?|vitest|jest|mocha|ava|rspec|phpunit|ctest|bats|unittest|manage\.py test|setup\.py test|bin\/test|bin\/doctest|(?:npm|pnpm|yarn|bun|deno)(?: run)? test|(?:npm|pnpm|yarn)(?: run)? (?:check|verify)|npx (?:vitest|jest)|(?:go|cargo|mvn|gradle|gradlew|dotnet|swift|mix|rails|rake|make|bazel|stack|cabal|sbt|flutter|composer)(?: \S{1,30}){0,2} (?:test|check|verify)\w{0,10})(?=$|[\s;&|):])/m;
const CHECK =
  /(?:^|[\s;&|(/])(?:python3?|node|ruby|perl|php|deno|bun|ts-node|tsx|java|go (?:run|build|vet)|cargo (?:run|build|clippy)|tsc|mypy|pyright|ruff|flake8|pylint|eslint|biome|gcc|g\+\+|clang|rustc|javac|make|cmake|(?:npm|pnpm|yarn|bun)(?: run)? (?:build|lint|start|typecheck|\S{1,20})|mvn|gradle|gradlew|dotnet|curl|docker|bash|sh)(?=$|[\s;&|)])|(?:^|[\s;&|])\.\/[\w./-]{1,80}/m;
const SUBMIT = /COMPLETE_TASK_AND_SUBMIT|(?:^|[\s;&|])(?:submit|git (?:commit|push)|gh pr create)(?=$|[\s;&|])/;
const EDITING_SHELL =
  /\bsed\s(?:[^\n]{0,20}\s)?-(?:[a-zA-Z]{0,6}i|-in-place)|\bgit\s(?:apply|am|checkout|revert|stash)\b|(?:^|[\s;&|])(?:patch|ed)\s|\bperl\s-[a-z]{0,4}i/m;
const WRITTEN_FILE = /(?:>>?|\btee(?: -a)?)\s{0,4}["']?([\w./~-]{1,200}\.[A-Za-z]{1,8})\b/g;
const SCRIPT_WRITES = /["'](?:w|a|r\+)b?["']\s?\)|\.write_text\(|writeFileSync\(|fs\.writeFile/;
const EDIT_TOOL =
  /^(?:edit|write|multi_?edit|notebook_?edit|apply_?(?:patch|diff)|str_?replace\w{0,30}|replace_in_file|write_(?:to_)?file|create_file|edit_file|insert_(?:code|text|content)\w{0,20}|update_file|patch_file|search_replace|file_edit|fs_write|write_text_file|editor_?\w{0,20})$/i;
const SUITE_TOOL = /^(?:run_?tests?|test|execute_tests?|run_unit_tests?|pytest|check_tests?)$/i;
const CHECK_TOOL =
  /^(?:run_?(?:code|python|script|file|program|lint|linter|build)\w{0,10}|execute_?(?:code|python|script|file)\w{0,10}|python(?:_?interpreter|_?repl)?|code_?interpreter|lint|build|type_?check|get_?(?:errors|diagnostics))$/i;
const SUBMIT_TOOL = /^(?:submit|finish|complete|attempt_completion|final_answer|exit_plan_mode)$/i;
const READING_ACTION = new Set(['view', 'read', 'open', 'list', 'undo_edit']);

function kindOf(use: ToolUse): WorkKind {
  if (use.command !== null) return kindOfCommand(use.command);
  if (SUBMIT_TOOL.test(use.name)) return 'submit';
  if (SUITE_TOOL.test(use.name)) return 'suite';
  if (CHECK_TOOL.test(use.name)) return 'check';
  return EDIT_TOOL.test(use.name) && isCodeEdit(use) ? 'edit' : 'other';
}

function isCodeEdit(use: ToolUse): boolean {
  if (use.isError || !isJsonObject(use.arguments)) return false;
  const { arguments: args } = use;
  if (typeof args.command === 'string' && READING_ACTION.has(args.command)) return false;
  const path = args.path ?? args.file_path ?? args.filename ?? args.file ?? args.target_file ?? args.notebook_path;
  return typeof path === 'string' ? isSource(path) : /patch|diff|editor/i.test(use.name);
}

const CODE_FILE =
  /\.(?:py|pyi|ipynb|[cm]?[jt]sx?|java|go|rs|c|cc|cpp|cxx|h|hh|hpp|cs|fs|vb|rb|php|swift|kts?|scala|groovy|sh|bash|ps1|sql|html?|s?css|less|vue|svelte|astro|lua|pl|pm|r|jl|exs?|erl|clj|hs|mli?|zig|nim|dart|m|mm|sol|tf|proto|gradle|cmake)$/i;

function isSource(path: string): boolean {
  return CODE_FILE.test(path) && !path.startsWith('/tmp/') && !SCRATCH.test(path);
}

const LONGEST_COMMAND = 6000;

function kindOfCommand(whole: string): WorkKind {
  const command = whole.slice(0, LONGEST_COMMAND);
  if (SUBMIT.test(command)) return 'submit';
  const shell = command.replace(/<<-?\s{0,4}["']?(\w{1,40})["']?[\s\S]*$/, ' ');
  if (shell === command && isReadOnlyCommand(shell)) return 'other';
  if (SUITE.test(shell) && !SCRATCH.test(shell)) return 'suite';
  if (writesSource(command, shell)) return 'edit';
  if (isReadOnlyCommand(shell)) return 'other';
  return CHECK.test(shell) ? 'check' : 'other';
}

function writesSource(command: string, shell: string): boolean {
  if (EDITING_SHELL.test(shell)) return true;
  const isScript = /\bpython3?\b[^\n]{0,40}(?:-c|-|<<)/.test(shell) || shell !== command;
  const written = [...shell.matchAll(WRITTEN_FILE), ...command.slice(0, 400).matchAll(WRITTEN_FILE)];
  if (written.some(([, path]) => isSource(path!) && /[/]/.test(path!))) return true;
  return isScript && written.length === 0 && SCRIPT_WRITES.test(command);
}

const RETURN_CODE =
  /<returncode>(-?\d{1,5})<\/returncode>|\bexit(?:ed with)?(?: code| status)?:? (-?\d{1,5})\b|exitcode: (-?\d{1,5})\b/i;
const FAILED_TESTS =
  /\b[1-9]\d{0,6} (?:failed|failing|failures?|errors?)\b|^FAILED\b|\bFAILED \(|\bfailures=[1-9]|\berrors=[1-9]|Tests:\s{1,4}[1-9]\d{0,6} failed|^--- FAIL\b|test result: FAILED/m;
const PASSED_TESTS =
  /\b[1-9]\d{0,6} (?:passed|passing|tests? passed)\b|^OK\b|^ok\s{1,4}\S{1,200}\s|test result: ok|\b[Aa]ll tests passed\b/m;
/** The tool could not be started: nothing was tested. */
const NOT_STARTED =
  /command not found|No module named (?:pytest|nose|tox)|No such file or directory|not recognized as|cannot find|can't open file/i;

function outcomeOf(use: ToolUse): boolean | null {
  const text = use.resultText === '' ? (use.failure?.message ?? '') : use.resultText;
  const ends = text.length > 6000 ? text.slice(0, 3000) + text.slice(-3000) : text;
  if (NOT_STARTED.test(ends)) return null;
  const code = RETURN_CODE.exec(ends);
  if (FAILED_TESTS.test(ends)) return false;
  if (code !== null) return (code[1] ?? code[2] ?? code[3]) === '0';
  if (PASSED_TESTS.test(ends)) return true;
  return use.isError ? false : null;
}
