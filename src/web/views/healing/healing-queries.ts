import type {
  Detection,
  HealingOperation,
  HealingSummary,
  HealingSummaryPage,
} from '../../../client/misstep-client.generated.ts';
import { MisstepError } from '../../../client/misstep-client.generated.ts';
import { useQuery } from '../../data/queries.ts';
import { server } from '../../data/server.ts';
import { tenantId } from '../../data/session.ts';
import type { PlanStatus } from '../../parts/plan-status.ts';
import { didNotHold } from './fix-plans.ts';

/** The prefix of all query keys of healing. Live events invalidate it. */
export const HEALING_PREFIX = 'healing/';
const MAX_WAITING = 200;
const PAGE_SIZE = 50;

/** Plans that wait for a person: those that did not hold, then the newest. */
export function useWaitingPlans() {
  return useQuery<HealingSummary[]>(keyOf('waiting'), async (signal) => {
    const input = { tenant_id: tenantId.value!, waiting: true, page_size: MAX_WAITING };
    const { items } = await server.healing.list(input, { signal });
    return items.toSorted((a, b) => Number(didNotHold(b)) - Number(didNotHold(a)));
  });
}

/** One page of the plans with a status, newest first; without a status, of those that do not wait for a person. */
export function usePlans(status: PlanStatus | undefined, cursor: string | undefined) {
  const input = { ...(status ? { status } : { waiting: false }), ...(cursor ? { cursor } : {}), page_size: PAGE_SIZE };
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

/** Plans of the issue of a detection, newest first; without an issue, those of the detection. */
export function usePlansFor({ detection_id, issue_id }: Pick<Detection, 'detection_id' | 'issue_id'>) {
  const of = issue_id === null ? { detection_id } : { issue_id };
  return useQuery<HealingSummaryPage>(keyOf(`of/${issue_id ?? detection_id}`), (signal) =>
    server.healing.list({ tenant_id: tenantId.value!, ...of, page_size: PAGE_SIZE }, { signal }),
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

function keyOf(name: string): string | null {
  return tenantId.value === null ? null : `${HEALING_PREFIX}${tenantId.value}/${name}`;
}
