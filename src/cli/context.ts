import type { Backend } from '../client/backend.ts';
import type { GlobalOptions } from './global-options.ts';
import type { Io } from './io.ts';
import type { Printer } from './printer.ts';
import type { Style } from './views/style.ts';

/** What a command gets to work with. */
export interface CommandContext {
  io: Io;
  options: GlobalOptions;
  print: Printer;
  style: Style;
  /** Columns of the terminal, or a usual width. */
  width: number;
  /** Opened on first use, closed when the command is over. */
  backend(): Promise<Backend>;
  /** Aborted by SIGINT and SIGTERM. */
  signal: AbortSignal;
}

/** A command's work; what it returns is the exit code, nothing means clean. */
export type CommandWork = (context: CommandContext) => Promise<number | undefined>;
