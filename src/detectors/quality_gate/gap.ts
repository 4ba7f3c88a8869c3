import type { Fix } from '../../core/detection.ts';
import type { FileEdit } from '../_readings/conduct/failed-check.ts';

export type Gap =
  | 'nothing_run'
  | 'unverified_change'
  | 'suite_never_run'
  | 'failing_tests_left'
  | 'failing_check_left'
  | 'nothing_changed'
  | 'only_comments'
  | 'only_new_files'
  | 'given_test_changed'
  | 'failed_run_left'
  | 'answers_disagree';

/** A required check that did not run, or whose result was ignored. */
export interface GateGap {
  subtype: Gap;
  score: number;
  step: number;
  steps: number[];
  agent: string | null;
  /** Replaces the title of the subtype. */
  title?: string;
  /** Replaces the impact of the subtype. */
  businessImpact?: string;
  explanation: string;
  suggestedAction: string;
  /** The step that `quote` is from; `step` if absent. */
  evidenceStep?: number;
  /** Verbatim from the step. */
  quote: string;
  path: string | null;
  /** The edit that the advice names. */
  edit?: FileEdit | null;
  /** The repair that the suggested action names; omitted if it names none. */
  causeFix?: Fix;
  fix: Fix;
  key: string;
}
