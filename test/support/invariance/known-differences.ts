import type { Rename } from './rename.ts';

/** Runs whose detections change with a rename. The list may only become shorter: a run that no longer differs fails the test. */
export interface KnownDifference {
  why: string;
  renames: readonly Rename[];
  /** Name of the base run, and the removed (`-`) and new (`+`) detections after the rename. */
  runs: Readonly<Record<string, string>>;
}

export const KNOWN_DIFFERENCES: readonly KnownDifference[] = [
  {
    why: 'A file is a trial of the agent by the words of its name (`reproduce_…`, `debug_…`).',
    renames: ['files'],
    runs: {
      'quality_gate: only_new_files: the run ends with finish, and its editing calls name trial files only':
        '- quality_gate/only_new_files critical @3',
    },
  },
  {
    why: 'An offered tool carries out a transfer, a ticket or another act by the words of its name or description.',
    renames: ['tools', 'tools in German', 'tools in Spanish', 'tools in Polish', 'tools in Japanese'],
    runs: {
      'completion: announced_call_missing: a transfer is stated, and its tool is not called':
        '- completion/announced_call_missing warning @3',
    },
  },
];
