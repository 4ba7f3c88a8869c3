import { isJsonObject } from '../../core/json.ts';
import type { Trace } from '../../core/trace.ts';
import { type ToolUse, toolUses } from '../../detectors/_readings/calls/calls.ts';
import { pathOf } from '../../detectors/_readings/coding/file-reads.ts';
import { codingWork } from '../../detectors/_readings/conduct/coding-work.ts';
import type { SessionReport } from './report.record.ts';
import { shorten } from './shorten.ts';

const MAX_ITEMS = 50;
const COMMAND_CHARACTERS = 200;
const EDIT_TOOL =
  /^(?:edit|write|multi_?edit|notebook_?edit|str_?replace\w{0,30}|replace(?:_in_file)?|write_(?:to_)?file|create_?file|create|edit_file|insert(?:_(?:code|text|content)\w{0,20})?|update_file|search_replace|file_edit|fs_write|write_text_file)$/i;
const READING_ACTION = new Set(['view', 'read', 'open', 'list', 'undo_edit']);
const PATCHED_FILE = /^\*\*\* (?:Update|Add|Delete) File: (.{1,300})$/gm;
/** In JavaScript that calls the tool, the patch is a string literal. */
const ESCAPED_LINE_END = /\\n/g;

/** What the agent did: files, commands, tests and tools. Refused calls are excluded. */
export function workOf(trace: Trace): SessionReport['done'] {
  const uses = toolUses(trace).filter(({ refusal }) => refusal === null);
  const files = filesOf(trace, uses);
  const suites = new Map(
    codingWork(trace)
      .filter(({ kind }) => kind === 'suite')
      .map((work) => [work.use, work.hasPassed]),
  );
  const others = uses.filter((use) => use.command !== null && !suites.has(use));
  const run = uses.filter((use) => suites.has(use));
  return {
    files: mostFirst(files, (path, edits) => ({ path, edits })),
    file_count: files.size,
    commands: [...Map.groupBy(others, commandOf)]
      .map(([command, same]) => ({ command, runs: same.length, failures: failuresIn(same) }))
      .sort((one, other) => other.runs - one.runs)
      .slice(0, MAX_ITEMS),
    command_count: others.length,
    tests: [...Map.groupBy(run, testCommandOf)]
      .map(([command, same]) => ({
        command,
        runs: same.length,
        failures: same.filter((use) => suites.get(use) === false).length,
        last: outcomeLabel(suites.get(same.at(-1)!) ?? null),
      }))
      .sort((one, other) => other.runs - one.runs)
      .slice(0, MAX_ITEMS),
    tools: mostFirst(countsOf(uses.map(({ name }) => name)), (name, calls) => ({ name, calls })),
    call_count: uses.length,
  };
}

function filesOf(trace: Trace, uses: readonly ToolUse[]): Map<string, number> {
  const paths = uses.filter(({ isError }) => !isError).flatMap((use) => editedPaths(trace, use));
  return countsOf(paths);
}

function editedPaths(trace: Trace, use: ToolUse): string[] {
  const text = use.command ?? (typeof use.arguments === 'string' ? use.arguments : use.argumentsText);
  if (text.includes('*** Begin Patch')) {
    const patched = text.replace(ESCAPED_LINE_END, '\n').matchAll(PATCHED_FILE);
    return [...new Set([...patched].map(([, path]) => path!.trim()))];
  }
  if (!EDIT_TOOL.test(use.name) || !isJsonObject(use.arguments)) return [];
  if (typeof use.arguments.command === 'string' && READING_ACTION.has(use.arguments.command)) return [];
  const path = pathOf(trace, use);
  return path === null ? [] : [path];
}

function commandOf(use: ToolUse): string {
  return shorten(use.command ?? use.name, COMMAND_CHARACTERS);
}

/** The result of a test run may arrive through a tool that does not name the command, such as a wait for its output. */
function testCommandOf(use: ToolUse): string {
  return use.command === null ? `tests in results of ${use.name}` : commandOf(use);
}

function failuresIn(uses: readonly ToolUse[]): number {
  return uses.filter(({ isError }) => isError).length;
}

function outcomeLabel(hasPassed: boolean | null): 'passed' | 'failed' | 'unknown' {
  if (hasPassed === null) return 'unknown';
  return hasPassed ? 'passed' : 'failed';
}

function countsOf(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

function mostFirst<Item>(counts: ReadonlyMap<string, number>, toItem: (name: string, count: number) => Item): Item[] {
  return [...counts]
    .sort(([, one], [, other]) => other - one)
    .slice(0, MAX_ITEMS)
    .map(([name, count]) => toItem(name, count));
}
