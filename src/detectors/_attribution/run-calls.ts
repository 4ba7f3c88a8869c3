import type { Trace } from '../../core/trace.ts';
import { type ToolUse, toolUses } from '../_readings/calls/calls.ts';

/** Counts of a run's tool calls. */
export interface RunCalls {
  calls: number;
  errors: number;
  /** Changing calls of a tool that failed before, with other arguments. */
  correctedWrites: number;
  /** Calls whose name and arguments occurred before. */
  repeats: number;
  /** Changing calls of a tool that had already changed something. */
  furtherWrites: number;
  endsInError: boolean;
  /** Counts of shell work. */
  edits: number;
  suiteRuns: number;
  lastTestFailed: boolean;
  newFiles: number;
  namedFiles: number;
}

/** A handoff to a person or another agent changes no data. */
const HANDOFF = /transfer|escalat|hand_?off|human/i;
const TEST =
  /\bpytest\b|\bunittest\b|\btox\b|runtests|\bnpm (?:run )?test|\bgo test\b|\bcargo test\b|manage\.py test|\bbin\/test\b/;
const TEST_SCRIPT = /\bpython\d? [^\n|;&]{0,60}(?:test|repro|verify|check)\w{0,40}\.py/;
const EDIT =
  /\bsed -i|cat <<|cat > |\btee \b|apply_patch|str_replace|\bpatch -p|(?<!>)>\s?[\w./-]{1,120}\.(?:py|js|ts|go|rs|java|c|cpp|rb)\b/;
const NEW_FILE = /cat <<[^\n]{0,40}>\s?[\w./-]+|cat >\s?[\w./-]+/;
const SOURCE_FILE = /(?<![\w/-])[\w/-]{1,200}\.(?:py|js|ts|tsx|go|rs|java|rb|c|cpp|h|php)\b/g;
const FAILED_TEST = /\b[1-9]\d{0,5} (?:failed|errors?)\b|\bFAILED\b|AssertionError|Traceback \(most recent/;

export function runCalls(trace: Trace): RunCalls {
  const uses = toolUses(trace);
  return {
    ...callCounts(uses),
    ...shellCounts(uses.filter((use) => use.command !== null)),
    endsInError: uses.at(-1)?.isError === true,
  };
}

function callCounts(uses: readonly ToolUse[]) {
  const seen = new Set<string>();
  const failed = new Map<string, string>();
  const written = new Set<string>();
  const counts = { calls: uses.length, errors: 0, correctedWrites: 0, repeats: 0, furtherWrites: 0 };
  for (const use of uses) {
    const key = `${use.name} ${use.argumentsText}`;
    if (seen.has(key)) counts.repeats += 1;
    seen.add(key);
    if (use.isError) counts.errors += 1;
    if (!use.changesState || HANDOFF.test(use.name)) continue;
    if (written.has(use.name)) counts.furtherWrites += 1;
    written.add(use.name);
    if (failed.has(use.name) && failed.get(use.name) !== use.argumentsText) counts.correctedWrites += 1;
    if (use.isError) failed.set(use.name, use.argumentsText);
  }
  return counts;
}

function shellCounts(uses: readonly ToolUse[]) {
  const counts = { edits: 0, suiteRuns: 0, lastTestFailed: false, newFiles: 0, namedFiles: 0 };
  const files = new Set<string>();
  for (const { command, resultText, isError } of uses) {
    const text = command!.slice(0, COMMAND_LIMIT);
    const isSuite = TEST.test(text);
    if (EDIT.test(text)) counts.edits += 1;
    if (NEW_FILE.test(text)) counts.newFiles += 1;
    for (const file of text.match(SOURCE_FILE) ?? []) files.add(file);
    if (isSuite) counts.suiteRuns += 1;
    if (isSuite || TEST_SCRIPT.test(text))
      counts.lastTestFailed = isError || FAILED_TEST.test(resultText.slice(-RESULT_TAIL));
  }
  counts.namedFiles = files.size;
  return counts;
}

const COMMAND_LIMIT = 2000;
const RESULT_TAIL = 1500;
