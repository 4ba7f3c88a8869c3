import type { Command } from 'commander';
import type { CommandWork } from './context.ts';

/** A command's action reaches the outside through this: its own flags and those before it, joined. */
export type AddCommand = (program: Command, start: (command: Command, work: CommandWork) => Promise<void>) => void;
