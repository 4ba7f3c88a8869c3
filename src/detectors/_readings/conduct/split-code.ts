import { cut, oneLine } from '../../_kit/text.ts';
import type { Obstacle } from './obstacle.ts';

/** A frame of a Python traceback in the passed code, with the source line below it. */
const FRAME = /^ {0,8}File "[^"\n]{0,200}", line (\d{1,6}), in <module>\n([^\n]{1,300})/gm;
const UNDEFINED = /\bNameError: name '(\w{1,80})' is not defined/;
const SOURCE_CHARACTERS = 80;

/**
 * The passed code defines a name, and the traceback says that it is undefined at a smaller line number than the line has
 * in the code: only a part of the code ran, such as one of several code blocks.
 */
export function splitCode(code: string | null, output: string): Obstacle | null {
  const name = UNDEFINED.exec(output)?.[1];
  if (code === null || name === undefined) return null;
  const [, lineNumber, source]: readonly (string | undefined)[] = [...output.matchAll(FRAME)].at(-1) ?? [];
  if (lineNumber === undefined || source === undefined) return null;
  const lines = code.split('\n').map((line) => line.trim());
  const at = lines.lastIndexOf(source.trim());
  if (at === -1 || Number(lineNumber) > at || !lines.slice(0, at).some((line) => isDefinition(line, name))) return null;
  return { kind: 'split_code', name, source: cut(oneLine(source), SOURCE_CHARACTERS), lineNumber: Number(lineNumber) };
}

/** Whether a line defines, assigns or imports the name. */
export function isDefinition(line: string, name: string): boolean {
  const words: readonly string[] = line.match(/\w+|=/g) ?? [];
  const [first, second] = words;
  if (first === 'def' || first === 'class') return second === name;
  if (first === 'async') return words[2] === name;
  if (first === 'import' || first === 'from') return words.includes(name);
  return first === name && second === '=';
}
