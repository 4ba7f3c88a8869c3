import { AppError } from '../core/app-error.ts';
import { printable, printableLine } from './views/printable.ts';

/** `misstep: <code>: <message>` and a line per field; the stack only on request. */
export function errorLines(error: unknown, isDebugging: boolean): string[] {
  const fields =
    error instanceof AppError ? error.errors.map(({ pointer, message }) => `  ${pointer}: ${message}`) : [];
  const stack = isDebugging && error instanceof Error ? [error.stack ?? ''] : [];
  return [`misstep: ${headline(error)}`, ...fields]
    .map((line) => printable(line).replaceAll('\n', ' '))
    .concat(stack.map(printable));
}

function headline(error: unknown): string {
  if (error instanceof AppError) return `${error.code}: ${printableLine(error.message)}`;
  const message = error instanceof Error ? error.message : String(error);
  return `internal: ${printableLine(message)} (MISSTEP_DEBUG=1 shows where)`;
}
