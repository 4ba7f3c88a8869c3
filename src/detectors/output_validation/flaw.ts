import type { Fix } from '../../core/detection.ts';

export type OutputFlaw =
  | 'not_json'
  | 'broken_json'
  | 'not_a_number'
  | 'arguments_off_schema'
  | 'failed_check_ignored'
  | 'wrong_sum'
  | 'other_result'
  | 'contrary_approvals'
  | 'rejected_by_schema';

/** An output without the required format. */
export interface FoundFlaw {
  subtype: OutputFlaw;
  score: number;
  steps: [number, ...number[]];
  agent: string | null;
  explanation: string;
  suggestedAction: string;
  kind: 'text' | 'call' | 'error';
  path: string;
  quote: string;
  /** The step that contains the quote; the first step if omitted. */
  shownAt?: number;
  fix: Fix;
  key: string;
}
