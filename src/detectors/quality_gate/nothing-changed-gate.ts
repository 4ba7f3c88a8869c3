import { isJsonObject, type Json } from '../../core/json.ts';
import type { Trace } from '../../core/trace.ts';
import { isWhole } from '../_kit/completeness.ts';
import { counted, words } from '../_kit/text.ts';
import { textsAmong } from '../_readings/calls/argument-roles.ts';
import { type ToolUse, toolUses } from '../_readings/calls/calls.ts';
import { isEditor, isRunner } from '../_readings/calls/tool-roles.ts';
import { isCommentLine } from '../_readings/coding/comment-lines.ts';
import { namedPath } from '../_readings/coding/file-reads.ts';
import {
  EDITING_NAME,
  isRejectedEdit,
  onlyRejectedEdits,
  rejectedEditsText,
  rejectionLine,
} from '../_readings/coding/rejected-edits.ts';
import { type SubmittedDiff, submittedDiff } from '../_readings/coding/submitted-diff.ts';
import type { DiffedFile } from '../_readings/coding/unified-diff.ts';
import { actOf, isFileEdit } from '../_readings/conduct/call-acts.ts';
import { noChangeNeeded } from '../_readings/conduct/claims.ts';
import { isCodeFile } from '../_readings/conduct/code-file.ts';
import { codingWork } from '../_readings/conduct/coding-work.ts';
import { agentTurns } from '../_readings/conduct/conversation.ts';
import { checkFix } from '../_readings/conduct/remedy.ts';
import { isTestFile, SCRATCH } from '../_readings/conduct/test-commands.ts';
import { baseName, isWithin } from '../_readings/shell/file-path.ts';
import type { GateGap } from './gap.ts';
import { givenUpAt, type OpenedFile, openedFiles, reasonBefore, statedFolder } from './opened-files.ts';

/** A run that worked on existing files and submits a diff that changes none of them. */
export function nothingChangedGap(trace: Trace): GateGap | null {
  const submitted = submittedDiff(trace) ?? submittedByCalls(trace);
  if (submitted === null) return null;
  if (submitted.files.length === 0) return emptyGap(trace, submitted);
  if (submitted.files.every(({ isNew }) => isNew)) return onlyNewGap(trace, submitted);
  return commentsGap(trace, submitted);
}

/**
 * A run that ends with a call like `finish` and shows no diff: the files that its edit calls name. Null if one of them is
 * project code or names no file, or if a shell may have changed one.
 */
function submittedByCalls(trace: Trace): SubmittedDiff | null {
  const last = toolUses(trace).at(-1);
  if (!isWhole(trace) || last === undefined || last.command !== null || actOf(trace, last) !== 'hand_in') return null;
  if (codingWork(trace).some(({ kind }) => kind === 'edit')) return null;
  const edited = toolUses(trace).filter((use) => use !== last && mayEdit(use));
  const paths = new Set(edited.map(namedPath));
  const trials = [...paths].filter((path) => path !== null && SCRATCH.test(path));
  if (trials.length === 0 || trials.length < paths.size) return null;
  const files = trials.map((path) => ({ path: path!, isNew: true, isDeleted: false, added: [], removed: [] }));
  return { step: last.step, use: last, files };
}

/** Nothing was submitted: no call changed a file although the run had read code. Rejected edits change nothing. */
function emptyGap(trace: Trace, submitted: SubmittedDiff): GateGap | null {
  const read = projectFiles(trace, []);
  const rejected = onlyRejectedEdits(trace);
  const isTried = (use: ToolUse) => rejected?.edits.includes(use) === true;
  if (
    !couldEdit(trace) ||
    read.length === 0 ||
    toolUses(trace).some((use) => mayEdit(use) && !isTried(use)) ||
    codingWork(trace).some(({ kind, use }) => kind === 'edit' && !isTried(use))
  )
    return null;
  const stated = rejected === null && noChangeNeeded(messageBefore(trace, submitted.step)) !== null;
  const lastRun = codingWork(trace).findLast(({ hasPassed }) => hasPassed !== null);
  if (stated && lastRun?.hasPassed === true) return null;
  const isUnshown = stated && lastRun === undefined;
  return gapOf(trace, submitted, {
    subtype: 'nothing_changed',
    score: isUnshown ? 0.5 : 0.9,
    explanation: `The work was submitted with ${callOf(trace, submitted)} at step ${submitted.step} without any change: no diff came back${rejected === null ? `, and none of the ${counted(toolUses(trace).length - 1, 'call')} before it edited a file.` : `. ${rejectedEditsText(rejected)}`} ${openedText(trace, submitted, read)}${reasonBefore(trace, submitted.step)}${isUnshown ? ' It says that no change is needed, but no test or program was run that shows it.' : ''}`,
    suggestedAction: isUnshown
      ? `Before ${callOf(trace, submitted)} accepts an empty diff, tell ${trace.steps[submitted.step]!.agent ?? 'the agent'} to run a test that shows that no change is needed.`
      : `Reject ${callOf(trace, submitted)} while the diff is empty, and ${feedbackText(trace, submitted)}.`,
    quote: submitted.use!.name,
    givenUpAt: givenUpAt(trace, submitted.step),
  });
}

/** The last message of the agent before a step; empty without one. */
function messageBefore(trace: Trace, step: number): string {
  return agentTurns(trace).findLast((turn) => turn.step < step)?.text ?? '';
}

/** A submission of nothing but files that the run created to try something out. */
export interface TrialSubmission {
  step: number;
  /** The name of the call that submitted it. */
  call: string;
  paths: readonly string[];
  text: string;
  advice: string;
  /** Whether no file can be the requested work. */
  isCertain: boolean;
  fix: GateGap['fix'];
}

/** Only new files, none of which the task names; null for other changes. */
export function trialSubmission(trace: Trace, submitted = submittedDiff(trace)): TrialSubmission | null {
  const task = trace.task ?? '';
  if (submitted === null || submitted.files.length === 0 || task === '') return null;
  const { files, step } = submitted;
  if (!files.every(({ path, isNew }) => isNew && isTrial(path, task) && !isNamedByTask(path, task))) return null;
  const paths = files.map(({ path }) => path);
  const call = callOf(trace, submitted);
  return {
    step,
    call,
    paths,
    text: `The change that was submitted with ${call} at step ${step} contains only ${files.length === 1 ? 'a file' : 'files'} that the run made itself and that the task does not name: ${listed(paths)}. No file that existed before was changed. ${openedText(trace, submitted, projectFiles(trace, files))}`,
    advice: `Reject ${call} while no existing file differs, leave ${paths[0]!} out of the diff, and ${feedbackText(trace, submitted)}.`,
    // Configuration, or code named after a word of the task, may be the requested work.
    isCertain: paths.every((path) => isTrialName(path, task) || isUnrelated(path, task)),
    fix: fixOf(trace, submitted),
  };
}

/** A submission of trial files by a run that knew project files. */
function onlyNewGap(trace: Trace, submitted: SubmittedDiff): GateGap | null {
  const trial = trialSubmission(trace, submitted);
  if (trial === null || projectFiles(trace, submitted.files).length === 0) return null;
  const [path] = trial.paths;
  return gapOf(trace, submitted, {
    subtype: 'only_new_files',
    score: trial.isCertain ? 0.9 : 0.5,
    explanation: `${trial.text}${reasonBefore(trace, submitted.step)}`,
    suggestedAction: trial.advice,
    quote: submitted.use?.resultText.includes(path!) === false ? submitted.use.name : path!,
  });
}

/** Existing code is edited, but no statement changes. */
function commentsGap(trace: Trace, submitted: SubmittedDiff): GateGap | null {
  const changed = submitted.files.filter(({ isNew }) => !isNew);
  const isPlain = changed.every(
    (file) => isCodeFile(file.path) && !file.isDeleted && file.added.length + file.removed.length > 0,
  );
  if (
    !isPlain ||
    !changed.every(changesOnlyComments) ||
    !submitted.files.every((file) => !file.isNew || isTrial(file.path, trace.task ?? ''))
  )
    return null;
  return gapOf(trace, submitted, {
    subtype: 'nothing_changed',
    // Comments may be the requested work.
    score: 0.5,
    explanation: `The change that was submitted with ${callOf(trace, submitted)} at step ${submitted.step} edits ${listed(changed.map(({ path }) => path))}, and every line that differs is a comment: no statement is different.`,
    suggestedAction: `Reject ${callOf(trace, submitted)} while only comments differ, and tell ${trace.steps[submitted.step]!.agent ?? 'the agent'} that no statement of ${changed[0]!.path} is changed.`,
    quote:
      changed
        .flatMap(({ added }) => added)
        .find((line) => line.trim() !== '')
        ?.trim() ?? changed[0]!.path,
  });
}

/** The source files that the run opened; if it opened none, those that its results name. */
function openedText(trace: Trace, submitted: SubmittedDiff, named: readonly string[]): string {
  const opened = openedIn(trace, submitted);
  if (opened.length > 0 && opened.every(({ path }) => isTestFile(path)))
    return `The run opened only tests (${listed(opened.map(({ path, step }) => `${path} at step ${step}`))}) and no source file.`;
  const folder = statedFolder(trace);
  const inFolder =
    folder === null ? named : named.filter((path) => !path.startsWith('/') || isWithin(path, folder.path));
  const names =
    inFolder.length > 0
      ? `; its calls and results name ${listed(inFolder)}`
      : named.length > 0
        ? `; its calls and results name none in its working folder ${folder!.path} (step ${folder!.step})`
        : '';
  return opened.length === 0
    ? `The run opened no source file${names}.`
    : `The run had opened ${listed(opened.map(({ path, step }) => `${path} (step ${step})`))}.`;
}

function openedIn(trace: Trace, { step, files }: SubmittedDiff): OpenedFile[] {
  return openedFiles(trace, step, new Set(files.map(({ path }) => baseName(path))));
}

/** What to return to the agent: the change that was rejected, or the file that it opened most often. */
function feedbackText(trace: Trace, submitted: SubmittedDiff): string {
  const { step } = submitted;
  const who = trace.steps[step]!.agent ?? 'the agent';
  const rejected = toolUses(trace).findLast((use) => use.step < step && isRejectedEdit(trace, use));
  if (rejected !== undefined) {
    return `tell ${who} that the change of step ${rejected.step} was rejected ("${rejectionLine(trace, rejected)}") and has to be corrected`;
  }
  const [file] = openedIn(trace, submitted);
  const editor = editorOf(trace);
  const means = editor === null ? '' : ` with ${editor}`;
  return file === undefined || isTestFile(file.path)
    ? `tell ${who} that it opened ${file === undefined ? '' : 'only tests and '}no source file: it has to find the code that the task is about${placeText(trace)} and change it${means}`
    : `tell ${who} that it opened ${file.path} (step ${file.step}) and changed nothing there: it has to change a file${means}, or say what keeps it from that`;
}

/** The working folder that the messages before the first call name, as a phrase with a leading space; else empty. */
function placeText(trace: Trace): string {
  const folder = statedFolder(trace);
  return folder === null ? '' : ` in ${folder.path}, its working folder (step ${folder.step}),`;
}

/** The tool with which this run could edit: one that it used, or else a declared one. */
function editorOf(trace: Trace): string | null {
  const names = [...toolUses(trace).map(({ name }) => name), ...trace.toolDefinitions.map(({ name }) => name)];
  return names.find((name) => EDITING_NAME.test(name) && !/^create/i.test(name)) ?? null;
}

interface GapTexts extends Pick<GateGap, 'subtype' | 'score' | 'explanation' | 'suggestedAction' | 'quote'> {
  /** Step of the message that gives the work up; the submission if omitted or null. */
  givenUpAt?: number | null;
}

function gapOf(trace: Trace, submitted: SubmittedDiff, { givenUpAt: since = null, ...texts }: GapTexts): GateGap {
  const { step, use } = submitted;
  return {
    ...texts,
    step: since ?? step,
    steps: since === null ? [step] : [since, step],
    agent: trace.steps[step]!.agent,
    path: use === null ? 'output' : null,
    key: 'hand-in',
    fix: fixOf(trace, submitted),
  };
}

function fixOf({ steps }: Trace, { step }: SubmittedDiff): GateGap['fix'] {
  return checkFix('workflow_change', {
    title: 'Reject a submission that changes nothing',
    target: `end of the run of ${steps[step]!.agent ?? 'the agent'}`,
    description:
      'Before the run may end, look at the diff without new files and without comments, and send the agent back when nothing is left.',
    after:
      'on submission: if the diff without new files and comments is empty, continue with "no statement of an existing file is changed"',
    why: 'The diff changes no statement of an existing file, whatever the last message says.',
  });
}

function callOf({ steps }: Trace, { use, step }: SubmittedDiff): string {
  return use?.name ?? steps[step]!.name;
}

/** False if all tools are declared and none of them has a command, a patch or file content as an argument. */
function couldEdit({ toolDefinitions }: Trace): boolean {
  return (
    toolDefinitions.length === 0 ||
    toolDefinitions.some((tool) => isRunner(tool) || isEditor(tool) || EDITING_NAME.test(tool.name))
  );
}

/** Whether an argument has several lines. It may be the new content of a file, whatever the tool is called. */
function hasLines(args: Json): boolean {
  return textsAmong(args).some((text) => text.trim().includes('\n'));
}

const EDITING_ACTIONS: ReadonlySet<unknown> = new Set([
  'create',
  'str_replace',
  'insert',
  'write',
  'edit',
  'append',
  'replace',
]);

function mayEdit(use: ToolUse): boolean {
  const { name, command, isError, arguments: args } = use;
  if (command !== null || isError) return false;
  if (isFileEdit(use) || hasLines(args)) return true;
  const action = isJsonObject(args) && typeof args.command === 'string' ? args.command : null;
  return action === null ? EDITING_NAME.test(name) : EDITING_ACTIONS.has(action);
}

/** Whether the task names the file, or each word of its name. */
function isNamedByTask(path: string, task: string): boolean {
  if (task.includes(baseName(path))) return true;
  if (isTrialName(path, task)) return false;
  const words = nameWords(path).filter((word) => word.length > 2 && !/^tests?$/.test(word));
  const text = task.toLowerCase();
  return words.length > 0 && words.every((word) => text.includes(word));
}

/** Whether the name of a code file contains none of the longer words of the task, not even their stems. */
function isUnrelated(path: string, task: string): boolean {
  if (!isCodeFile(path)) return false;
  const name = baseName(path).toLowerCase();
  return words(task).every(
    (word) => word.length < STEM_LENGTH || !name.includes(word.slice(0, STEM_LENGTH).toLowerCase()),
  );
}

/** Whether a file is in the top folder or named like a trial. Project files are in folders. */
function isTrial(path: string, task: string): boolean {
  return !path.includes('/') || isTrialName(path, task);
}

/** Words for a fault and for its reproduction. Two of them name a trial: `fare_bug_reproduction.py`. */
const FAULT_WORD = /^(?:repro|replicat\w{1,4}|reproduc\w{1,5}|bugs?|issues?|debug|minimal|mwe)$/;
/** Words that name a trial together with one word for a fault, if the file name has no other words: `test_bug.py`. */
const TRIAL_WORD = /^(?:demo|examples?|samples?|case|script|tests?|trial|tmp|\d{1,8})$/;

/** Whether a task requests a test or a reproduction, which would be such a file. `Make sure that you can reproduce it` does not. */
const REQUESTS_TRIAL =
  /\b(?:add|write|create|provide|build|make(?! (?:sure|certain)\b))\b[^.\n]{0,60}\b(?:tests?|reproduc\w{1,5}|replicat\w{1,4}|repro)\b/i;

/** Whether a code file is named as a trial: by a prefix such as `repro`, or by words for a fault. */
function isTrialName(path: string, task: string): boolean {
  if (SCRATCH.test(path)) return true;
  if (REQUESTS_TRIAL.test(task)) return false;
  const parts = isCodeFile(path) ? nameWords(path) : [];
  const faults = parts.filter((word) => FAULT_WORD.test(word));
  return (
    faults.length > 1 ||
    (faults.length === 1 && parts.length > 1 && parts.every((word) => FAULT_WORD.test(word) || TRIAL_WORD.test(word)))
  );
}

/** The words of a file name without its extension, in lower case. */
function nameWords(path: string): string[] {
  return baseName(path)
    .replace(/\.\w{1,8}$/, '')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
}

/** Number of letters of a task word to search for in a file name. */
const STEM_LENGTH = 4;
const SHOWN_FILES = 3;
const READ_CHARACTERS = 6_000;
const WORD = /[\w./~-]{1,300}/g;
/** Trailing dots after a path that end the sentence. */
const CLOSING_DOTS = /\.{1,3}$/;

/** Source files that calls and results name and that the change does not add, in order. */
function projectFiles(trace: Trace, added: readonly DiffedFile[]): string[] {
  const own = new Set(added.map(({ path }) => baseName(path)));
  const found = new Set<string>();
  for (const { argumentsText, resultText } of toolUses(trace).slice(0, -1)) {
    for (const text of [argumentsText, resultText])
      for (const word of text.slice(0, READ_CHARACTERS).match(WORD) ?? []) {
        const path = word.replace(CLOSING_DOTS, '');
        if (path.includes('/') && isCodeFile(path) && !own.has(baseName(path))) found.add(path);
      }
    if (found.size >= SHOWN_FILES) break;
  }
  return [...found];
}

function listed(names: readonly string[]): string {
  const rest = names.length - SHOWN_FILES;
  return `${names.slice(0, SHOWN_FILES).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

function changesOnlyComments({ path, added, removed }: DiffedFile): boolean {
  return [...added, ...removed].every((line) => isCommentLine(line, path));
}
