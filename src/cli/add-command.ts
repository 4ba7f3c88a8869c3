import type { Command } from 'commander';
import type { CommandWork } from './context.ts';

/** Connects a command's action to its context: its own flags merged with the global ones. */
export type AddCommand = (program: Command, start: (command: Command, work: CommandWork) => Promise<void>) => void;
