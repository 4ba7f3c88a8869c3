import type { Fix } from '../../core/detection.ts';
import type { PromptRule } from '../_kit/manifest.ts';

export type Misjudgment =
  | 'claimed_despite_failure'
  | 'tests_claimed_not_run'
  | 'tests_claimed_despite_failure'
  | 'unfulfilled_announcement'
  | 'announced_call_missing'
  | 'no_final_answer'
  | 'result_unanswered'
  | 'check_unchanged'
  | 'negative_check_omitted'
  | 'requirement_unmet'
  | 'ended_as_failed'
  | 'ended_lost'
  | 'reported_not_done'
  | 'rejected_answer_repeated'
  | 'pages_unread'
  | 'items_unread'
  | 'unfinished_claimed'
  | 'unanswered_prompt'
  | 'empty_answer'
  | 'call_pending'
  | 'code_not_run'
  | 'stub_left'
  | 'open_todo_items'
  | 'items_dropped'
  | 'ended_on_failures'
  | 'mostly_failed'
  | 'claim_corrected'
  | 'unusual_trouble';

/** A run that ended too early, too late, or in another way than it claimed. */
export interface Verdict {
  subtype: Misjudgment;
  score: number;
  step: number;
  steps: number[];
  agent: string | null;
  explanation: string;
  /** Replaces the title of the subtype. */
  title?: string;
  /** Replaces the impact of the subtype. */
  businessImpact?: string;
  suggestedAction: string;
  evidence: {
    kind: 'text' | 'error' | 'message' | 'call' | 'sign' | 'rounds' | 'edit';
    step: number;
    path: string | null;
    quote: string;
  }[];
  /** The change that the advice on the cause suggests; omitted if it names none. */
  causeFix?: Fix;
  fix: Fix;
  key: string;
  /** Replaces the prompt rule of the subtype. */
  promptRule?: PromptRule;
}
