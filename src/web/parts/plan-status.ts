import type { HealingSummary } from '../../client/misstep-client.generated.ts';

export type PlanStatus = HealingSummary['status'];

export const STATUS_LABELS: Readonly<Record<PlanStatus, string>> = {
  pending_approval: 'Pending approval',
  approved: 'Approved',
  rejected: 'Rejected',
  executing: 'In progress',
  applied: 'Applied',
  failed: 'Failed',
  unknown: 'Outcome unknown',
  rolled_back: 'Rolled back',
};
