import type { StackFrame } from '../../core/trace.ts';

/** A stack is read at its beginning and at its end: its middle repeats the frames of a runtime. */
const READ_CHARACTERS = 20_000;

/** Files of libraries, runtimes and compiled programs. */
const FOREIGN =
  /[\\/]node_modules[\\/]|[\\/](?:site|dist)-packages[\\/]|[\\/]lib[\\/]python\d|[\\/]\$bunfs[\\/]|^(?!file:)[a-z][\w+.-]{2,20}:|^<|[<>]/i;

/**
 * The line of the program itself that is nearest to where an error was raised; null if the stack has none. Read are stacks of
 * JavaScript, whose first frame raised the error, and of Python, whose last frame did.
 */
export function ownFrameIn(stack: string): StackFrame | null {
  const isCut = stack.length > 2 * READ_CHARACTERS;
  const text = isCut ? `${stack.slice(0, READ_CHARACTERS)}\n${stack.slice(-READ_CHARACTERS)}` : stack;
  const lines = text.split('\n').map((line) => line.trim());
  // An error that replaced another one has the last stack.
  const last = lines.slice(lines.findLastIndex((line) => line.includes(TRACEBACK)) + 1);
  const python = last.flatMap((line) => pythonFrame(line) ?? []).reverse();
  const frames = python.length > 0 ? python : scriptFrames(lines);
  const at = frames.findIndex(({ file }) => !FOREIGN.test(file));
  if (at === -1) return null;
  const { file, line } = frames[at]!;
  return { file: file.replace(/^file:\/\/(?:\/(?=[A-Za-z]:))?/, ''), line, isRaisedHere: at === 0 };
}

/** The beginning of a stack of Python. */
export const TRACEBACK = 'Traceback (most recent call last)';

type Place = Omit<StackFrame, 'isRaisedHere'>;

/** `File "/srv/shop/order.py", line 22, in order` */
function pythonFrame(text: string): Place | null {
  const [, file, line] = /^File "([^"]{1,400})", line (\d{1,7})/.exec(text) ?? [];
  return file === undefined ? null : { file, line: Number(line) };
}

/** The frames of the error itself: those of its cause follow after another line. */
function scriptFrames(lines: readonly string[]): Place[] {
  const start = lines.findIndex((line) => line.startsWith('at '));
  const rest = start === -1 ? [] : lines.slice(start);
  const end = rest.findIndex((line) => !line.startsWith('at ') || line.endsWith('{'));
  return rest
    .slice(0, end === -1 ? rest.length : end + 1)
    .flatMap((line) => scriptFrame(line.replace(/ \{$/, '')) ?? []);
}

/** `at async order (file:///srv/shop/order.mjs:22:97)`, or without the name of a function. */
function scriptFrame(text: string): Place | null {
  if (!text.startsWith('at ') || text.length > MAX_LINE) return null;
  const open = text.endsWith(')') ? text.lastIndexOf('(') : -1;
  const place = open === -1 ? text.slice(3).replace(/^async /, '') : text.slice(open + 1, -1);
  const columnAt = place.lastIndexOf(':');
  const lineAt = place.lastIndexOf(':', columnAt - 1);
  const [file, line, column] = [place.slice(0, lineAt), place.slice(lineAt + 1, columnAt), place.slice(columnAt + 1)];
  const isPlace = lineAt > 0 && /^\d{1,7}$/.test(line) && /^\d{1,9}$/.test(column) && /[\\/.]/.test(file);
  return isPlace ? { file, line: Number(line) } : null;
}

const MAX_LINE = 600;
