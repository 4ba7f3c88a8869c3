import type { Trace } from '../../core/trace.ts';
import { type ToolUse, toolUses } from '../_kit/calls.ts';

/** What a run did with its tools, as counts. */
export interface RunCalls {
  calls: number;
  tools: number;
  lookups: number;
  writes: number;
  errors: number;
  writeErrors: number;
  /** Writes of a tool that had failed before, with other arguments. */
  correctedWrites: number;
  /** Calls with name and arguments seen before. */
  repeats: number;
  /** Writes of a tool that had been used to write before. */
  furtherWrites: number;
  lookupsBeforeWrite: number;
  handovers: number;
  handoversAfterWrite: number;
  endsInError: boolean;
  endsInHandover: boolean;
  resultLength: number;
  /** Shell work. */
  commands: number;
  edits: number;
  testRuns: number;
  suiteRuns: number;
  reverts: number;
  testsAfterEdit: number;
  lastTestFailed: boolean;
  commandErrors: number;
  newFiles: number;
  pagedReads: number;
  namedFiles: number;
  /** Lines a diff near the end adds. */
  patchLines: number;
  /** Steps of some of the calls counted above. */
  at: CallSteps;
}

/** Indices into `Trace.steps`. */
export interface CallSteps {
  writes: number[];
  writeErrors: number[];
  correctedWrites: number[];
  handoversAfterWrite: number[];
  edits: number[];
  last: number[];
}

const HANDOVER = /transfer|escalat|hand_?off|human/i;
const TEST =
  /\bpytest\b|\bunittest\b|\btox\b|runtests|\bnpm (?:run )?test|\bgo test\b|\bcargo test\b|manage\.py test|\bbin\/test\b/;
const TEST_SCRIPT = /\bpython\d? [^\n|;&]{0,60}(?:test|repro|verify|check)\w{0,40}\.py/;
const EDIT =
  /\bsed -i|cat <<|cat > |\btee \b|apply_patch|str_replace|\bpatch -p|(?<!>)>\s?[\w./-]{1,120}\.(?:py|js|ts|go|rs|java|c|cpp|rb)\b/;
const REVERT = /git (?:checkout|stash|reset|restore)/;
const NEW_FILE = /cat <<[^\n]{0,40}>\s?[\w./-]+|cat >\s?[\w./-]+/;
const PAGED = /\bsed -n|\bcat (?!<|>)|\bhead\b|\btail\b/;
const SOURCE_FILE = /(?<![\w/-])[\w/-]{1,200}\.(?:py|js|ts|tsx|go|rs|java|rb|c|cpp|h|php)\b/g;
const FAILED_TEST = /\b[1-9]\d{0,5} (?:failed|errors?)\b|\bFAILED\b|AssertionError|Traceback \(most recent/;

export function runCalls(trace: Trace): RunCalls {
  const uses = toolUses(trace);
  const last = uses[uses.length - 1];
  const at: CallSteps = {
    writes: [],
    writeErrors: [],
    correctedWrites: [],
    handoversAfterWrite: [],
    edits: [],
    last: last === undefined ? [] : [last.step],
  };
  return {
    ...callCounts(uses, at),
    ...shellCounts(
      uses.filter((use) => use.command !== null),
      at,
    ),
    at,
    endsInError: last?.isError === true,
    endsInHandover: last !== undefined && HANDOVER.test(last.name),
  };
}

function callCounts(uses: readonly ToolUse[], at: CallSteps) {
  const seen = new Set<string>();
  const failed = new Map<string, string>();
  const written = new Set<string>();
  const counts = {
    calls: uses.length,
    tools: new Set(uses.map(({ name }) => name)).size,
    lookups: 0,
    writes: 0,
    errors: 0,
    writeErrors: 0,
    correctedWrites: 0,
    repeats: 0,
    furtherWrites: 0,
    lookupsBeforeWrite: 0,
    handovers: 0,
    handoversAfterWrite: 0,
    resultLength: 0,
  };
  for (const use of uses) {
    const key = `${use.name} ${use.argumentsText}`;
    if (seen.has(key)) counts.repeats += 1;
    seen.add(key);
    counts.resultLength += use.resultText.length;
    if (use.isError) counts.errors += 1;
    if (HANDOVER.test(use.name)) {
      counts.handovers += 1;
      if (counts.writes > 0) {
        counts.handoversAfterWrite += 1;
        at.handoversAfterWrite.push(use.step);
      }
    } else if (use.changesState) {
      counts.writes += 1;
      at.writes.push(use.step);
      if (written.has(use.name)) counts.furtherWrites += 1;
      written.add(use.name);
      if (use.isError) {
        counts.writeErrors += 1;
        at.writeErrors.push(use.step);
      }
      if (failed.has(use.name) && failed.get(use.name) !== use.argumentsText) {
        counts.correctedWrites += 1;
        at.correctedWrites.push(use.step);
      }
      if (use.isError) failed.set(use.name, use.argumentsText);
    } else {
      counts.lookups += 1;
      if (counts.writes === 0) counts.lookupsBeforeWrite += 1;
    }
  }
  return counts;
}

function shellCounts(uses: readonly ToolUse[], at: CallSteps) {
  const counts = {
    commands: uses.length,
    edits: 0,
    testRuns: 0,
    suiteRuns: 0,
    reverts: 0,
    testsAfterEdit: 0,
    lastTestFailed: false,
    commandErrors: 0,
    newFiles: 0,
    pagedReads: 0,
    namedFiles: 0,
    patchLines: 0,
  };
  const files = new Set<string>();
  for (const { command, resultText, isError, step } of uses) {
    const text = command!.slice(0, COMMAND_LIMIT);
    const isSuite = TEST.test(text);
    if (EDIT.test(text)) {
      counts.edits += 1;
      at.edits.push(step);
      counts.testsAfterEdit = 0;
    }
    if (NEW_FILE.test(text)) counts.newFiles += 1;
    if (PAGED.test(text)) counts.pagedReads += 1;
    for (const file of text.match(SOURCE_FILE) ?? []) files.add(file);
    if (resultText.includes('diff --git')) counts.patchLines = addedLines(resultText);
    if (REVERT.test(text)) counts.reverts += 1;
    if (isError || /<returncode>[1-9]/.test(resultText.slice(0, 40))) counts.commandErrors += 1;
    if (!isSuite && !TEST_SCRIPT.test(text)) continue;
    counts.testRuns += 1;
    if (isSuite) counts.suiteRuns += 1;
    counts.testsAfterEdit += 1;
    counts.lastTestFailed = isError || FAILED_TEST.test(resultText.slice(-RESULT_TAIL));
  }
  counts.namedFiles = files.size;
  return counts;
}

function addedLines(diff: string): number {
  return diff.split('\n').filter((line) => line.startsWith('+') && !line.startsWith('+++')).length;
}

const COMMAND_LIMIT = 2000;
const RESULT_TAIL = 1500;
