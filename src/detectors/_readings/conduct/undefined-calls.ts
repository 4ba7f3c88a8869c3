import type { Trace } from '../../../core/trace.ts';
import { memoizeByRef } from '../../_kit/memoize.ts';
import { joined } from '../../_kit/text.ts';
import { type ToolUse, toolUses } from '../calls/calls.ts';
import { codeIn } from '../calls/fenced-code.ts';
import { agentTurns, conversation } from './conversation.ts';
import { codeOf, codeRuns } from './executions.ts';
import { hasRunFailed } from './failed-version.ts';
import { hasWord } from './function-bodies.ts';

const MAX_CODE_LENGTH = 60_000;
const MAX_NAMES = 3;

/** Code that may define names at run time. */
const DYNAMIC = /\bimport \*|\b(?:exec|eval|globals|locals|setattr|__import__)\s{0,4}\(|^\s{0,20}[%!]/m;
const PYTHON_HEAD = /^[ \t]{0,40}(?:async )?def \w{1,80}\s{0,4}\(/m;
/** Texts and comments of Python; an f-string may use names but defines none. */
const TEXT_OR_COMMENT = /"""[\s\S]*?"""|'''[\s\S]*?'''|"(?:\\.|[^"\\\n]){0,300}"|'(?:\\.|[^'\\\n]){0,300}'|#[^\n]*/g;
const NAME = /(\.\s{0,4})?\b([A-Za-z_]\w{0,80})\b(\()?/g;
const DEFINED = /\b(?:def|class)\s{1,4}$/;

/**
 * Functions that the Python code of a run calls and that nothing in the trace names in another way: no definition, no
 * import, no assignment, no parameter, and no text of a user or of the instructions. A call outside of all definitions would
 * have stopped the run, so its name is known to the runner. Empty if the code may define names at run time, if a run with the
 * same call passed, or if the code is not Python.
 */
export function undefinedCalls(trace: Trace, run: ToolUse): string[] {
  const code = codeOf(run);
  if (code.length > MAX_CODE_LENGTH || !PYTHON_HEAD.test(code) || DYNAMIC.test(code)) return [];
  const called = onlyCalled(code).filter((name) => !BUILT_IN.has(name) && !isCalledOutside(code, name));
  if (called.length === 0) return [];
  const tools = new Set(toolUses(trace).map(({ name }) => name));
  return called
    .filter((name) => !tools.has(name) && !isNamedElsewhere(trace, name) && !hasPassed(trace, name))
    .slice(0, MAX_NAMES);
}

/** Names whose every occurrence is a call. */
function onlyCalled(code: string): string[] {
  const text = code.replace(TEXT_OR_COMMENT, (found) => (found.startsWith('#') ? '' : '""'));
  const isCalled = new Map<string, boolean>();
  for (const { 1: dot, 2: name, 3: open, index } of text.matchAll(NAME)) {
    if (dot !== undefined) continue;
    const isCall = open !== undefined && !DEFINED.test(text.slice(Math.max(0, index - 12), index));
    isCalled.set(name!, isCall && isCalled.get(name!) !== false);
  }
  return [...isCalled].flatMap(([name, isCall]) => (isCall ? [name] : []));
}

/** Whether a line without an indent has the name. */
function isCalledOutside(code: string, name: string): boolean {
  return code.split('\n').some((line) => /^\S/.test(line) && hasWord(line, name));
}

/** Whether a text that no agent wrote has the name, or other code of the run has it in another role than that of a call. */
function isNamedElsewhere(trace: Trace, name: string): boolean {
  if (givenTexts(trace).some((text) => hasWord(text, name))) return true;
  return allCode(trace).some((code) => DYNAMIC.test(code) || (hasWord(code, name) && !onlyCalled(code).includes(name)));
}

function hasPassed(trace: Trace, name: string): boolean {
  return codeRuns(trace).some((run) => hasWord(codeOf(run), name) && !hasRunFailed(run));
}

const givenTexts = memoizeByRef((trace: Trace): readonly string[] => {
  const byUser = conversation(trace).flatMap(({ by, text }) => (by === 'agent' ? [] : [text]));
  return [trace.task ?? '', ...byUser];
});

const allCode = memoizeByRef((trace: Trace): readonly string[] => [
  ...codeRuns(trace).map(codeOf),
  ...agentTurns(trace).map(({ text }) => codeIn(text)),
]);

/** One sentence with a leading space about the functions that the code of a step calls and nothing defines; else empty. */
export function undefinedText(names: readonly string[], { step }: ToolUse): string {
  if (names.length === 0) return '';
  return ` The code of step ${step} calls ${joined(names.map((name) => `\`${name}\``))}, which no code of the run defines or imports.`;
}

/** One sentence with a trailing space that asks for the definitions; empty without names. */
export function undefinedAdvice(who: string, names: readonly string[]): string {
  if (names.length === 0) return '';
  return `Have ${who} define ${joined(names.map((name) => `\`${name}\``))} or replace the call. `;
}

const BUILT_IN: ReadonlySet<string> = new Set(
  [
    'ArithmeticError AssertionError AttributeError BaseException BaseExceptionGroup BlockingIOError',
    'BrokenPipeError BufferError BytesWarning ChildProcessError ConnectionAbortedError ConnectionError',
    'ConnectionRefusedError ConnectionResetError DeprecationWarning EOFError Ellipsis EncodingWarning',
    'EnvironmentError Exception ExceptionGroup False FileExistsError FileNotFoundError FloatingPointError',
    'FutureWarning GeneratorExit IOError ImportError ImportWarning IndentationError IndexError',
    'InterruptedError IsADirectoryError KeyError KeyboardInterrupt LookupError MemoryError',
    'ModuleNotFoundError NameError None NotADirectoryError NotImplemented NotImplementedError OSError',
    'OverflowError PendingDeprecationWarning PermissionError ProcessLookupError RecursionError',
    'ReferenceError ResourceWarning RuntimeError RuntimeWarning StopAsyncIteration StopIteration',
    'SyntaxError SyntaxWarning SystemError SystemExit TabError TimeoutError True TypeError',
    'UnboundLocalError UnicodeDecodeError UnicodeEncodeError UnicodeError UnicodeTranslateError',
    'UnicodeWarning UserWarning ValueError Warning ZeroDivisionError _ __import__ abs aiter all and anext',
    'any as ascii assert async await bin bool break breakpoint bytearray bytes callable case chr class',
    'classmethod compile complex continue copyright credits def del delattr dict dir display divmod elif',
    'else enumerate eval except exec exit filter finally float for format from frozenset get_ipython',
    'getattr global globals hasattr hash help hex id if import in input int is isinstance issubclass iter',
    'lambda len license list locals map match max memoryview min next nonlocal not object oct open or ord',
    'pass pow print property quit raise range repr return reversed round set setattr slice sorted',
    'staticmethod str sum super try tuple type vars while with yield zip',
  ]
    .join(' ')
    .split(' '),
);
