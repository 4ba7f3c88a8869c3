import { isJsonObject } from '../../../core/json.ts';
import type { Trace } from '../../../core/trace.ts';
import { memoizeByRef } from '../../_kit/memoize.ts';
import { codeArgument, fileChange, patchArgument, pathArgument, rangeOf } from '../calls/argument-roles.ts';
import { recordedCall, type ToolUse, toolUses } from '../calls/calls.ts';
import { codeTools } from '../calls/code-tools.ts';
import { plainName } from '../calls/tool-names.ts';
import { submissions } from './submissions.ts';
import { provesTestRun } from './test-output.ts';
import { waitingCalls } from './waiting-calls.ts';

/**
 * What a call does, derived from its arguments and its result:
 * - `command`: a shell command (`tool-roles.ts`), or code that a chat ran
 * - `wait`: waits for a running command or agent
 * - `hand_in`: submits the work, as the last call of the run
 * - `edit`: changes a file; the arguments are a path with a new text, or a patch
 * - `tests`: returns the output of a test runner
 * - `code`: runs program text
 * - `read`: the only arguments are a path and perhaps a line range; the result does not look like an acknowledgement
 * - `other`: undecided
 * The name of a known tool adds evidence to a matching argument or result. A name alone decides nothing.
 */
export type CallAct = 'command' | 'wait' | 'hand_in' | 'edit' | 'tests' | 'code' | 'read' | 'other';

export function actOf(trace: Trace, use: ToolUse): CallAct {
  return actsIn(trace).get(recordedCall(use)) ?? 'other';
}

const actsIn = memoizeByRef(
  (trace: Trace): ReadonlyMap<ToolUse, CallAct> => new Map(toolUses(trace).map((use) => [use, read(trace, use)])),
);

function read(trace: Trace, use: ToolUse): CallAct {
  if (waitingCalls(trace).has(use)) return 'wait';
  if (use.command !== null) return 'command';
  if (submissions(trace).calls.has(use)) return 'hand_in';
  if (isFileEdit(use)) return 'edit';
  if (isTestRun(use)) return 'tests';
  if (isCodeRun(trace, use)) return 'code';
  return isFileRead(use) ? 'read' : 'other';
}

const EDIT_NAME =
  /^(?:edit|write|create|replace|multi_?edit|notebook_?edit|apply_?(?:patch|diff)|str_?replace\w{0,30}|replace_in_file|write_(?:to_)?file|create_file|edit_file|insert_(?:code|text|content)\w{0,20}|update_file|patch(?:_file)?|search_replace|file_edit|fs_write|write_text_file|editor_?\w{0,20})$/i;
const READING_ACTION = new Set(['view', 'read', 'open', 'list', 'undo_edit']);

/** Whether a call requests a file change; the call may have failed. */
export function isFileEdit({ name, arguments: args, command }: ToolUse): boolean {
  if (command !== null || isReadingAction(args)) return false;
  if (fileChange(args) !== null) return true;
  return (
    EDIT_NAME.test(plainName(name)) && rangeArguments(args) === '' && (pathArgument(args) !== null || hasText(args))
  );
}

const NEW_FILE_NAME = /^(?:write|create|file_?write|fs_write|write_?file|create_?file|write_text_file|write_to_file)$/i;

/** Whether a call sets the whole content of a file, so that the file may be new. */
export function writesWholeFile(use: ToolUse): boolean {
  if (!isFileEdit(use)) return false;
  return NEW_FILE_NAME.test(plainName(use.name)) || fileChange(use.arguments) === 'content';
}

function isReadingAction(args: ToolUse['arguments']): boolean {
  return isJsonObject(args) && typeof args.command === 'string' && READING_ACTION.has(args.command);
}

function rangeArguments(args: ToolUse['arguments']): string {
  return isJsonObject(args) ? rangeOf(args) : '';
}

function hasText(args: ToolUse['arguments']): boolean {
  return patchArgument(args) !== null || (isJsonObject(args) ? Object.keys(args).length > 0 : args !== null);
}

const TESTS_NAME = /^(?:(?:run|execute|start|check)_?)?(?:(?:unit|integration|all|project)_?)?tests?$|^pytest$/i;

/** Whether a call runs tests. Reading a log also shows the output of a test run. */
function isTestRun(use: ToolUse): boolean {
  if (TESTS_NAME.test(plainName(use.name))) return true;
  return provesTestRun(use) && !/\.(?:log|txt|xml|json)$/i.test(pathArgument(use.arguments)?.path ?? '');
}

const CODE_NAME =
  /^(?:run_?(?:code|python|script|file|program|lint|linter|build)\w{0,10}|execute_?(?:code|python|script|file)\w{0,10}|python(?:_?interpreter|_?repl)?|code_?interpreter|lint|build|type_?check|get_?(?:errors|diagnostics))$/i;

function isCodeRun(trace: Trace, { name, arguments: args }: ToolUse): boolean {
  return CODE_NAME.test(plainName(name)) || codeArgument(args) !== null || codeTools(trace).has(name);
}

const READ_NAME = /^(?:read|read_?file|view|view_?file|open_?file|cat|fs_read|read_text_file)$/i;
const VIEWING_EDITOR = /^(?:str_replace_(?:based_edit_tool|editor)|editor)$/i;
/** A file name has an extension; folders, records and pages have none. */
const FILE_NAME = /[^/]\.[A-Za-z]\w{0,7}$/;
const MAX_ACKNOWLEDGEMENT_LENGTH = 200;

/**
 * Whether the arguments are a path, perhaps a line range, and no other text. The result must be longer than an acknowledgement, or a
 * line range must be requested.
 */
function isFileRead(use: ToolUse): boolean {
  const { name, arguments: args, resultText } = use;
  const place = pathArgument(args);
  if (place === null || !isJsonObject(args)) return false;
  const isViewing = isReadingAction(args) && args.command !== 'undo_edit';
  if (READ_NAME.test(plainName(name)) || (isViewing && VIEWING_EDITOR.test(plainName(name)))) return true;
  const others = Object.entries(args).filter(([key, value]) => key !== place.key && typeof value === 'string');
  const isAlone = others.every(([key]) => RANGE_OR_NOTE.test(key) || (isViewing && key === 'command'));
  if (!isAlone || !FILE_NAME.test(place.path) || use.isError) return false;
  if (isViewing || rangeOf(args) !== '') return true;
  return (
    resultText.length > MAX_ACKNOWLEDGEMENT_LENGTH &&
    !resultText.slice(0, MAX_ACKNOWLEDGEMENT_LENGTH).includes(place.path)
  );
}

/** Text arguments that do not change what a read returns. */
const RANGE_OR_NOTE =
  /^(?:offset|limit|pages?|range|encoding|explanation|description|reason|start_line|end_line|line_(?:start|end))$/i;
