import type { HealingSummary } from '../../../client/misstep-client.generated.ts';
import { BY_HAND, type PlanAction } from './plan-actions.ts';

export const RISK_LABELS: Readonly<Record<HealingSummary['risk'], string>> = {
  low: 'Low',
  medium: 'Medium',
  high: 'High',
};

/** What the allowed action does; null where its label says enough. */
export function consequenceText({ status, executor }: Pick<HealingSummary, 'status' | 'executor'>): string | null {
  const isByHand = executor === BY_HAND;
  if (status === 'pending_approval')
    return isByHand
      ? 'Approving changes nothing yet: you make the change afterwards.'
      : 'Approving changes nothing yet: the change is made when the plan is executed, and it can be rolled back.';
  if (status === 'applied' && isByHand)
    return 'Misstep did not make this change. If you undo it by hand, record that here.';
  if (status !== 'approved') return null;
  return isByHand
    ? 'You make the change yourself, and record here whether it worked.'
    : 'Misstep makes the change, unless the target differs from the diff. It can be rolled back.';
}

/** The next action of a person. */
export function nextActionText({ status, executor }: Pick<HealingSummary, 'status' | 'executor'>): string {
  if (status === 'pending_approval') return 'Approve or reject';
  if (status === 'unknown') return 'Check the target';
  if (status === 'approved') return executor === BY_HAND ? 'Start the change' : 'Execute';
  return 'Record the outcome';
}

/** The kind of a fix, as inside a sentence. */
export function fixTypeLabel(fixType: HealingSummary['fix_type']): string {
  return fixType.replaceAll('_', ' ').replace(/^config\b/, 'configuration');
}

export const EXECUTOR_LABELS: Readonly<Record<string, string>> = {
  manual: 'By hand',
  config_file: 'File',
  http_json: 'JSON document at a URL',
  settings: 'Misstep settings',
  n8n_workflow: 'n8n workflow',
  langgraph_assistant: 'LangGraph assistant',
};

/** What a plan changes, in one line. A change by hand has no executor that says what its target is. */
export function targetLabel({
  executor,
  target_text,
  fix_type,
}: Pick<HealingSummary, 'executor' | 'target_text' | 'fix_type'>): string {
  if (executor === BY_HAND) {
    const kind = `${fixTypeLabel(fix_type)}, by hand`;
    return target_text === '' ? kind : `${target_text} · ${kind}`;
  }
  const executorLabel = EXECUTOR_LABELS[executor] ?? executor;
  return target_text === '' || target_text === executor ? executorLabel : `${executorLabel} · ${target_text}`;
}

interface PlanActionLabels {
  label: string;
  successMessage: string;
  failureMessage: string;
}

/** Texts of an action; with a manual plan, a person makes the change. */
export function planActionLabels(action: PlanAction, isByHand: boolean): PlanActionLabels {
  const labels: Record<PlanAction, PlanActionLabels> = {
    approve: { label: 'Approve', successMessage: 'The plan is approved', failureMessage: 'Not approved' },
    reject: { label: 'Reject', successMessage: 'The plan is rejected', failureMessage: 'Not rejected' },
    execute: isByHand
      ? {
          label: 'Start the change',
          successMessage: 'Make the change, then record the outcome',
          failureMessage: 'Not started',
        }
      : { label: 'Execute', successMessage: 'The plan was executed', failureMessage: 'Not executed' },
    rollback: {
      label: isByHand ? 'Record as undone' : 'Roll back',
      successMessage: 'Rolled back',
      failureMessage: 'Not rolled back',
    },
    check: { label: 'Check the target', successMessage: 'The target was checked', failureMessage: 'Not checked' },
    applied: { label: 'Record as applied', successMessage: 'Recorded as applied', failureMessage: 'Not recorded' },
    failed: { label: 'Record as failed', successMessage: 'Recorded as failed', failureMessage: 'Not recorded' },
    rolled_back: {
      label: 'Record as rolled back',
      successMessage: 'Recorded as rolled back',
      failureMessage: 'Not recorded',
    },
  };
  return labels[action];
}
