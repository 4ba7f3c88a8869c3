import type { HealingOperation } from '../../../client/misstep-client.generated.ts';
import { queries } from '../../data/queries.ts';
import { server } from '../../data/server.ts';
import { tenantId } from '../../data/session.ts';
import { showFailure, showToast } from '../../parts/toasts.tsx';
import { HEALING, planKey } from './healing-queries.ts';
import { BY_HAND, foundText, type PlanChoice } from './plan-choices.ts';
import { choiceWords } from './plan-words.ts';

/** Runs the chosen action and refetches the plan, also after an error. */
export async function choose(
  { operation_id, executor }: HealingOperation,
  choice: PlanChoice,
  note = '',
): Promise<void> {
  const words = choiceWords(choice, executor === BY_HAND);
  try {
    const after = await send(operation_id, choice, note.trim() === '' ? {} : { note: note.trim() });
    const key = planKey(operation_id);
    if (key !== null) queries.patch<HealingOperation>(key, () => after);
    showToast(doneText(after, choice, words.done));
  } catch (error) {
    showFailure(words.failed, error);
  }
  void queries.invalidate(HEALING);
  // The applied fix is marked in its detection.
  void queries.invalidate('trace:');
  void queries.invalidate('issues/runs');
}

function send(operation_id: string, choice: PlanChoice, body: { note?: string }): Promise<HealingOperation> {
  const named = { tenant_id: tenantId.value!, operation_id };
  const { healing } = server;
  switch (choice) {
    case 'approve':
      return healing.approve({ ...named, body });
    case 'reject':
      return healing.reject({ ...named, body });
    case 'execute':
      return healing.execute(named);
    case 'rollback':
      return healing.rollback(named);
    case 'check':
      return healing.check(named);
    default:
      return healing.resolve({ ...named, body: { ...body, outcome: choice } });
  }
}

function doneText(
  { status, executor, verification, error }: HealingOperation,
  choice: PlanChoice,
  done: string,
): string {
  if (choice === 'check' && verification !== null) return foundText(verification);
  if (choice === 'rollback' && executor === BY_HAND) return 'Undo the change by hand, then record the outcome.';
  if (choice === 'execute' && (status === 'failed' || status === 'unknown'))
    return error ?? 'The change was tried, and it is not known whether it was made.';
  return `${done}.`;
}
