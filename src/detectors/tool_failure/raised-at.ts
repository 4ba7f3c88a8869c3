import type { StackFrame, Trace } from '../../core/trace.ts';
import type { Failure } from './failure.ts';

/** The line of the program that the stack of an error shows; null if it shows none. */
export function raisedAt({ steps }: Trace, { step }: Failure): StackFrame | null {
  return steps[step]!.error?.ownFrame ?? null;
}

/** `line 22 of /srv/shop/send.mjs` */
export function lineOfProgram({ file, line }: StackFrame): string {
  return `line ${line} of ${file.length > MAX_FILE ? `…${file.slice(-MAX_FILE)}` : file}`;
}

const MAX_FILE = 120;

/** One sentence with a leading space; empty without a line of the program. */
export function raisedText(trace: Trace, failure: Failure): string {
  const frame = raisedAt(trace, failure);
  if (frame === null) return '';
  return frame.isRaisedHere
    ? ` It was raised in ${lineOfProgram(frame)}.`
    : ` A library that ${lineOfProgram(frame)} called raised it.`;
}

/** What to correct, with the error in quotation marks: `line 22 of …, which raises "boom"`. */
export function faultOfProgram(frame: StackFrame, quoted: string): string {
  return frame.isRaisedHere
    ? `${lineOfProgram(frame)}, which raises ${quoted}`
    : `the call in ${lineOfProgram(frame)}, below which ${quoted} was raised`;
}
