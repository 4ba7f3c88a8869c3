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
];
