import type { Backend } from '../client/backend.ts';
import type { GlobalOptions } from './global-options.ts';
import type { Io } from './io.ts';
import type { Printer } from './printer.ts';
import type { Style } from './views/style.ts';

/** The context of a command. */
export interface CommandContext {
  io: Io;
  options: GlobalOptions;
  print: Printer;
  style: Style;
  /** Columns of the terminal, or a default width. */
  width: number;
  /** Opened at first use, closed when the command ends. */
  backend(): Promise<Backend>;
  /** Aborted by SIGINT and SIGTERM. */
  signal: AbortSignal;
}

/** Implementation of a command; returns the exit code, or nothing for success. */
export type CommandWork = (context: CommandContext) => Promise<number | undefined>;
