import type { Trace } from '../../../core/trace.ts';
import { cut, oneLine } from '../../_kit/text.ts';
import type { ToolUse } from '../calls/calls.ts';
import { codeBlocks } from '../calls/fenced-code.ts';
import { baseName } from '../shell/file-path.ts';
import { agentTurns } from './conversation.ts';
import { NO_SUCH_PATH } from './failed-command.ts';
import type { StrayBlock } from './obstacle.ts';

/**
 * One of several code blocks of a message that is no code, such as an expected output, or an example command for a file
 * that does not exist. The result of the run shows a syntax error in its first line, or names the file.
 */
export function strayBlock(trace: Trace, use: ToolUse): StrayBlock | null {
  const turn = agentTurns(trace).findLast(({ step }) => step <= use.requestedAt);
  const blocks = turn === undefined ? [] : codeBlocks(turn.text);
  if (turn === undefined || blocks.length < 2) return null;
  const found = syntaxFault(use.resultText) ?? null;
  for (const block of blocks) {
    const lines = block.split('\n').filter((each) => each.trim() !== '');
    const line = lines[0]?.trim() ?? '';
    if (line === '' || DEFINITION.test(block)) continue;
    const parts = { step: turn.step, line: cut(oneLine(line), LINE_CHARACTERS) };
    if (found !== null && found.source === line) return { ...parts, isCommand: false, failure: found.failure };
    const failure = lines.length === 1 ? missingFile(line, use.resultText) : null;
    if (failure !== null) return { ...parts, isCommand: true, failure };
  }
  return null;
}

const LINE_CHARACTERS = 60;
const FAILURE_CHARACTERS = 120;
const DEFINITION = /^[ \t]{0,40}(?:def|class|import|from|function|func|fn|fun|const|let|var)\s/m;

/** A syntax error in the first line of a program, as Python prints it: place, source line, marker, error. */
const SYNTAX_FAULT = /^ {0,8}File "[^"\n]{0,200}", line 1\n([^\n]{1,300})\n[ ^~]{1,300}\n(SyntaxError: [^\n]{1,200})/m;

function syntaxFault(output: string): { source: string; failure: string } | null {
  const [, source, failure] = SYNTAX_FAULT.exec(output) ?? [];
  return source === undefined ? null : { source: source.trim(), failure: cut(failure!, FAILURE_CHARACTERS) };
}

const WORD = /[\w./-]{2,200}/g;

/** The line of the output that says that a file of the command does not exist. */
function missingFile(command: string, output: string): string | null {
  const line = output.split('\n').find((each) => NO_SUCH_PATH.test(each));
  if (line === undefined) return null;
  const named = new Set((line.match(WORD) ?? []).map(baseName));
  const files = (command.match(WORD) ?? []).map(baseName).filter((word) => /\w\.\w/.test(word));
  return files.some((file) => named.has(file)) ? cut(oneLine(line), FAILURE_CHARACTERS) : null;
}

/** One sentence with a leading space; empty for null. */
export function strayText(stray: StrayBlock | null, runner: string): string {
  if (stray === null) return '';
  const what = stray.isCommand ? `with the command "${stray.line}"` : `that is not code ("${stray.line}")`;
  return ` Step ${stray.step} also has a code block ${what}, and ${runner} ran it ("${stray.failure}").`;
}

/** One sentence with a leading space. */
export function strayAdvice({ isCommand }: StrayBlock, who: string, runner: string): string {
  const what = isCommand ? 'no example command into a code block' : 'nothing but code into code blocks';
  return ` Have ${who} put ${what}, because ${runner} runs each of them.`;
}

const UNKNOWN_LANGUAGE = /(?:^|\n)(unknown language\b[^\n]{0,40}?)\s{0,8}$/i;

/**
 * The last line of a result with which a code runner rejects a block in a language that it does not run, after the blocks above
 * it had run; null for another result.
 */
export function unknownBlockLine(result: string): string | null {
  return UNKNOWN_LANGUAGE.exec(result)?.[1] ?? null;
}
