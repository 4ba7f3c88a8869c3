import type { Trace } from '../../../core/trace.ts';
import { type ToolUse, toolUses } from '../calls/calls.ts';
import { codeBlocks } from '../calls/fenced-code.ts';
import type { ConversationTurn } from './conversation.ts';
import { codeOf, codeRuns } from './executions.ts';
import { reportedExitCode, runOutcome, statedVerdict } from './run-outcome.ts';

/**
 * The last run before a message that executed the same program as the message contains, if it failed. Comments, docstrings
 * and blank lines do not count; if tests state the failure, only the definitions count. Null if no such run failed.
 */
export function failedVersion(trace: Trace, { step, text }: Pick<ConversationTurn, 'step' | 'text'>): ToolUse | null {
  const blocks = codeBlocks(text);
  const programs = new Set([blocks.join('\n'), ...blocks].map(programText).filter((program) => program !== ''));
  if (programs.size === 0) return null;
  const defined = definitionsIn(programText(blocks.join('\n')));
  const isSame = (run: ToolUse) => {
    const program = programText(codeOf(run));
    return programs.has(program) || (defined !== '' && isStated(run) && definitionsIn(program) === defined);
  };
  const last = codeRuns(trace).findLast((run) => run.step < step && isSame(run));
  return last !== undefined && hasRunFailed(last) ? last : null;
}

/**
 * The last run or command before a message that executed all the code of the message, whatever its result; null if some of
 * the code never ran.
 */
export function sameRun(trace: Trace, { step, text }: Pick<ConversationTurn, 'step' | 'text'>): ToolUse | null {
  const blocks = codeBlocks(text);
  const all = programText(blocks.join('\n'));
  if (all === '') return null;
  const commands = toolUses(trace).filter(({ command }) => command !== null);
  const runs = [...new Set([...codeRuns(trace), ...commands])]
    .filter((run) => run.step < step)
    .sort((a, b) => a.step - b.step)
    .map((run) => ({ run, programs: programsOf(trace, run) }));
  const lastOf = (program: string) => runs.findLast(({ programs }) => programs.includes(program))?.run;
  const whole = lastOf(all);
  if (whole !== undefined) return whole;
  const parts = blocks.map(programText).filter((program) => program !== '');
  const found = parts.flatMap((program) => lastOf(program) ?? []);
  return found.length < parts.length ? null : found.reduce((one, other) => (other.step > one.step ? other : one));
}

/** Errors of Python that stop a program before its first statement. */
const NOTHING_EXECUTED = /^(?:SyntaxError|IndentationError|TabError)\b/m;

/**
 * The program of a run, and those of the blocks of its message: a chat runs several blocks together. A syntax error in one
 * of them stops them all.
 */
export function programsOf({ steps }: Trace, run: ToolUse): readonly string[] {
  const program = programText(codeOf(run));
  if (NOTHING_EXECUTED.test(run.resultText)) return [program];
  const blocks = codeBlocks(steps[run.requestedAt]?.output ?? '').map(programText);
  return [program, ...blocks.filter((block) => block !== '' && program.includes(block))];
}

/** Whether a run of code failed, by its exit code, its error, or what its tests state. */
export function hasRunFailed(run: ToolUse): boolean {
  const stated = statedVerdict(run.resultText, codeOf(run));
  if (stated !== null) return !stated;
  return run.failure !== null || runOutcome(run) === false || (reportedExitCode(run) ?? 0) !== 0;
}

function isStated(run: ToolUse): boolean {
  return statedVerdict(run.resultText, codeOf(run)) === false;
}

const DOCSTRING = /^[ \t]{0,80}[rRuU]?("""|''')[\s\S]*?\1[ \t]{0,80}$/gm;
/** A comment on a line of its own, or a Python comment after a statement. */

/** Code without comments, docstrings and blank lines. */
export function programText(code: string): string {
  const lines = code.replace(DOCSTRING, '').split('\n');
  return lines
    .map((line) => withoutComment(line).trimEnd())
    .filter((line) => line !== '')
    .map((line) => `${/^\s*/.exec(line)![0]}${line.trim().replace(/\s+/g, ' ')}`)
    .join('\n');
}

const DEFINITION = /^(?:@\w|(?:async |export |default |pub |static |public ){0,3}(?:def|class|function|func|fn|fun)\s)/;
/** A line that belongs to the definition above it. */
const INSIDE = /^(?:\s|[)\]}])/;

/** The lines of a program that are part of a definition. */
function definitionsIn(program: string): string {
  let isInside = false;
  const lines = program.split('\n').filter((line) => {
    isInside = DEFINITION.test(line) || (isInside && INSIDE.test(line));
    return isInside;
  });
  return lines.join('\n');
}

/** A line without its comment. A number sign before a quotation mark may be part of a text. */
function withoutComment(line: string): string {
  if (/^(?:#|\/\/)/.test(line.trimStart())) return '';
  const end = Math.max(line.lastIndexOf('"'), line.lastIndexOf("'")) + 1;
  const at = line.slice(end).search(/\s#/);
  return at === -1 ? line : line.slice(0, end + at);
}
