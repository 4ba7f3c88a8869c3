import { isJsonObject, type Json } from '../../../core/json.ts';
import type { Trace } from '../../../core/trace.ts';
import { memoizeByRef } from '../../_kit/memoize.ts';
import { type ToolUse, toolUses } from '../calls/calls.ts';
import { plainName } from '../calls/tool-names.ts';

const WAITING_NAME =
  /^(?:wait|wait_agent|bash_?output|task_?output|get_task_output|agent_?output(?:_tool)?|read_bash|check_task|get_terminal_output|get_command_status|command_status|poll\w{0,20})$/i;
const INPUT_NAME = /^(?:write_?stdin|write_bash|send_input|shell_input)$/i;
const INPUT_ARGUMENTS = ['chars', 'input', 'text', 'data'];
const SLEEP = /^\s{0,10}sleep \d+(?:\.\d+)?[smh]?\s{0,10}$/;
const ID_KEY = /(?:^|_)(?:id|ids|session|cell|handle|pid|process|shell|terminal|job)$|[a-z]I[dD]$/;
/** A handle in the short answer of a command that keeps running: `7`, `bash_3`, `a1b2c3`. */
const HANDLE = /[\p{L}\p{N}_-]{1,60}/gu;
const MAX_ANSWER_LENGTH = 300;

/**
 * Calls that only wait for something that is already running. They pass the handle that a command without an exit code
 * returned in one line, and no text; or they took as long as one of their arguments says, or have no recorded times and no
 * other argument than a time. Also `sleep` alone, and known waiting tools by name.
 */
export const waitingCalls = memoizeByRef((trace: Trace): ReadonlySet<ToolUse> => {
  const waiting = new Set<ToolUse>();
  const handles = new Set<string>();
  for (const use of toolUses(trace)) {
    if (isNamed(use) || namesHandle(use.arguments, handles) || passesTime(trace, use)) waiting.add(use);
    else for (const handle of handlesOf(use)) handles.add(handle);
  }
  return waiting;
});

function isNamed({ name, arguments: args, command }: ToolUse): boolean {
  if (command !== null) return SLEEP.test(command);
  if (WAITING_NAME.test(plainName(name))) return true;
  if (!INPUT_NAME.test(plainName(name)) || !isJsonObject(args)) return false;
  return INPUT_ARGUMENTS.every((key) => args[key] === undefined || args[key] === '');
}

const MIN_WAIT_MS = 5_000;
/** Tolerance between the recorded duration and the requested one. */
const TIMING_SHARE = 0.1;
const UNITS_MS = [1, 1_000, 60_000];

/** Whether a call took exactly as long as one of its numeric arguments says, in milliseconds, seconds or minutes. */
export function isTimedWait({ steps }: Trace, { step, arguments: args, isError }: ToolUse): boolean {
  const { kind, startMs, endMs } = steps[step]!;
  if (kind !== 'tool' || startMs === null || endMs === null || isError || !isJsonObject(args)) return false;
  const tookMs = endMs - startMs;
  if (tookMs < MIN_WAIT_MS) return false;
  const numbers = Object.values(args).filter((value) => typeof value === 'number');
  return numbers.some((value) => UNITS_MS.some((unit) => Math.abs(value * unit - tookMs) <= TIMING_SHARE * tookMs));
}

/** Whether time passes during a call because it waits: as its recorded times show, or if it has none, its arguments. */
export function passesTime(trace: Trace, use: ToolUse): boolean {
  return isTimedWait(trace, use) || isStatedWait(trace, use);
}

/** Names of an argument that is a time: `seconds`, `wait_ms`, `duration_s`, `minuten`. */
const TIME_KEY =
  /(?:^|_)(?:seconds?|secs?|s|minutes?|mins?|hours?|ms|millis(?:econds)?|duration|delay|sekunden|minuten|segundos|minutos|secondes|secondi|minuti|seconden|sekund[ay]?|minut[ay]?|секунд[аы]?|минут[аы]?|saniye|dakika|秒数?|分数?|초|분)$|(?:Seconds|Secs|Minutes|Mins|Ms|Millis)$/u;
/** The result of a wait says no more than that it is over. */
const MAX_WAIT_RESULT = 60;

/**
 * Whether the only arguments are a time and perhaps a remark, the result has no other number, and the format of the run
 * records no times.
 */
function isStatedWait({ steps }: Trace, { step, arguments: args, isError, resultText }: ToolUse): boolean {
  const { startMs, endMs } = steps[step]!;
  if ((startMs !== null && endMs !== null && endMs > startMs) || isError || !isJsonObject(args)) return false;
  const [time, ...others] = Object.entries(args).filter(([, value]) => !isRemark(value));
  if (time === undefined || others.length > 0 || !TIME_KEY.test(time[0])) return false;
  const [, value] = time;
  if (typeof value !== 'number' || value <= 0) return false;
  const numbers = resultText.match(/\d+(?:\.\d+)?/g) ?? [];
  return resultText.trim().length <= MAX_WAIT_RESULT && numbers.every((number) => Number(number) === value);
}

/** A text of several words. */
function isRemark(value: Json): boolean {
  return typeof value === 'string' && /\p{L} \p{L}/u.test(value);
}

function handlesOf({ command, outcome, resultText, isError }: ToolUse): string[] {
  if (command === null || isError || typeof outcome?.exitCode === 'number') return [];
  const answer = resultText.trim();
  if (answer.length > MAX_ANSWER_LENGTH || answer.includes('\n')) return [];
  return (answer.match(HANDLE) ?? []).filter((handle) => /\d/.test(handle) && !command.includes(handle));
}

function namesHandle(args: Json, handles: ReadonlySet<string>): boolean {
  if (handles.size === 0 || !isJsonObject(args)) return false;
  const entries = Object.entries(args);
  const isHandle = ([key, value]: [string, Json]) => ID_KEY.test(key) && handles.has(String(value));
  const isSilent = ([, value]: [string, Json]) => value === null || value === '' || typeof value !== 'object';
  return (
    entries.some(isHandle) &&
    entries.every((entry) => isHandle(entry) || (isSilent(entry) && (typeof entry[1] !== 'string' || entry[1] === '')))
  );
}
