import type { HealingOperation } from '../../../client/misstep-client.generated.ts';
import { queries } from '../../data/queries.ts';
import { server } from '../../data/server.ts';
import { tenantId } from '../../data/session.ts';
import { showFailure, showToast } from '../../parts/toasts.tsx';
import { HEALING_PREFIX, planKey } from './healing-queries.ts';
import { BY_HAND, type PlanAction, verificationText } from './plan-actions.ts';
import { planActionLabels } from './plan-labels.ts';

/** Runs an action on a plan and refetches the plan, also after an error. */
export async function runPlanAction(
  { operation_id, executor }: HealingOperation,
  action: PlanAction,
  note = '',
): Promise<void> {
  const labels = planActionLabels(action, executor === BY_HAND);
  try {
    const updated = await send(operation_id, action, note.trim() === '' ? {} : { note: note.trim() });
    const key = planKey(operation_id);
    if (key !== null) queries.patch<HealingOperation>(key, () => updated);
    showToast(successText(updated, action, labels.successMessage));
  } catch (error) {
    showFailure(labels.failureMessage, error);
  }
  void queries.invalidate(HEALING_PREFIX);
  // The detection shows which of its fixes is applied.
  void queries.invalidate('trace:');
  void queries.invalidate('issues/runs');
}

function send(operation_id: string, action: PlanAction, body: { note?: string }): Promise<HealingOperation> {
  const operation = { tenant_id: tenantId.value!, operation_id };
  const { healing } = server;
  switch (action) {
    case 'approve':
      return healing.approve({ ...operation, body });
    case 'reject':
      return healing.reject({ ...operation, body });
    case 'execute':
      return healing.execute(operation);
    case 'rollback':
      return healing.rollback(operation);
    case 'check':
      return healing.check(operation);
    default:
      return healing.resolve({ ...operation, body: { ...body, outcome: action } });
  }
}

function successText(
  { status, executor, verification, error }: HealingOperation,
  action: PlanAction,
  successMessage: string,
): string {
  if (action === 'check' && verification !== null) return verificationText(verification);
  if (action === 'rollback' && executor === BY_HAND) return 'Undo the change by hand, then record the outcome.';
  if (action === 'execute' && (status === 'failed' || status === 'unknown'))
    return error ?? 'The change was attempted, and it is not known whether it was made.';
  return `${successMessage}.`;
}
