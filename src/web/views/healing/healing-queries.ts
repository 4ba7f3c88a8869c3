import type {
  Detection,
  Fix,
  HealingOperation,
  HealingSummary,
  HealingSummaryPage,
} from '../../../client/misstep-client.generated.ts';
import { MisstepError } from '../../../client/misstep-client.generated.ts';
import { useQuery } from '../../data/queries.ts';
import { server } from '../../data/server.ts';
import { tenantId } from '../../data/session.ts';
import type { PlanStatus } from '../../parts/plan-status.ts';
import { waitsForPerson } from './plan-actions.ts';

/** The prefix of all query keys of healing. Live events invalidate it. */
export const HEALING_PREFIX = 'healing/';
const WAITING_STATUSES = ['pending_approval', 'approved', 'unknown', 'executing'] as const;
const MAX_WAITING = 50;
const PAGE_SIZE = 50;

/** Plans that wait for a person, newest first. */
export function useWaitingPlans() {
  return useQuery<HealingSummary[]>(keyOf('waiting'), async (signal) => {
    const pages = await Promise.all(
      WAITING_STATUSES.map((status) =>
        server.healing.list({ tenant_id: tenantId.value!, status, page_size: MAX_WAITING }, { signal }),
      ),
    );
    return pages
      .flatMap(({ items }) => items)
      .filter(waitsForPerson)
      .sort((a, b) => Date.parse(b.created_at) - Date.parse(a.created_at));
  });
}

/** One page of all plans, newest first. */
export function usePlans(status: PlanStatus | undefined, cursor: string | undefined) {
  const input = { ...(status ? { status } : {}), ...(cursor ? { cursor } : {}), page_size: PAGE_SIZE };
  return useQuery<HealingSummaryPage>(keyOf(`list/${JSON.stringify(input)}`), (signal) =>
    server.healing.list({ tenant_id: tenantId.value!, ...input }, { signal }),
  );
}

export function planKey(operationId: string): string | null {
  return keyOf(`plan/${operationId}`);
}

export function usePlan(operationId: string) {
  return useQuery<HealingOperation>(planKey(operationId), (signal) =>
    server.healing.get({ tenant_id: tenantId.value!, operation_id: operationId }, { signal }),
  );
}

/** Plans of a detection, newest first. */
export function useDetectionPlans(detectionId: string | undefined) {
  return useQuery<HealingSummaryPage>(detectionId === undefined ? null : keyOf(`of/${detectionId}`), (signal) =>
    server.healing.list({ tenant_id: tenantId.value!, detection_id: detectionId!, page_size: PAGE_SIZE }, { signal }),
  );
}

/** The detection of a plan; null if it is no longer stored. */
export function useDetection(detectionId: string | undefined) {
  return useQuery<Detection | null>(
    detectionId === undefined ? null : keyOf(`detection/${detectionId}`),
    async (signal) => {
      try {
        return await server.detections.get({ tenant_id: tenantId.value!, detection_id: detectionId! }, { signal });
      } catch (error) {
        if (error instanceof MisstepError && error.status === 404) return null;
        throw error;
      }
    },
  );
}

/** The fix with the id, otherwise the unapplied fix with the highest confidence; one without a plan is preferred. */
export function fixOf(
  detection: Detection,
  fixId: string | undefined,
  plannedIds: ReadonlySet<string | null>,
): Fix | undefined {
  if (fixId !== undefined) return detection.fixes.find(({ fix_id }) => fix_id === fixId);
  const open = detection.fixes
    .filter(({ applied_at }) => applied_at === null)
    .sort((a, b) => b.confidence - a.confidence);
  return open.find(({ fix_id }) => !plannedIds.has(fix_id)) ?? open[0];
}

function keyOf(name: string): string | null {
  return tenantId.value === null ? null : `${HEALING_PREFIX}${tenantId.value}/${name}`;
}
