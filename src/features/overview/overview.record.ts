import { z } from 'zod';
import { toRfc3339 } from '../../core/clock.ts';
import { MAX_COUNTED, type OverviewCounts, type OverviewTimes } from '../../store/overview.store.ts';

const count = z.number().int();
const since = (what: string) => count.describe(`${what} since \`since\``);

export const overviewRecord = z
  .object({
    at: z.string().describe('Time of the response, to be passed as `since` at the next visit'),
    since: z.string(),
    most: count.describe('Each count stops here: it then means that many or more'),
    traces: z.object({
      has_any: z.boolean().describe('False until the first span arrives'),
      new: since('Started'),
      failed: since('Started and failed'),
      running: count,
      analysis_waiting: count,
      analysis_given_up: count,
    }),
    issues: z.object({
      open: count,
      critical: count.describe('Open and critical'),
      new: count.describe('Open, first detected since `since`, and nobody has acted on it, as `is_new` of an issue'),
      regressed: count.describe('Open again after they were resolved'),
      resolved: count,
      ignored: count.describe('Ignored or snoozed'),
    }),
    detections: z.object({ new: since('Reported detections without withdrawn and false ones,') }),
    healing: z.object({
      pending_approval: count,
      unknown: count.describe('Their outcome is to be checked'),
      waiting: count.describe(
        'Plans whose next step is a person’s: approve, execute, check, record an outcome, or plan another fix because it did not hold',
      ),
    }),
    imports: z.object({ active: count, failed: since('Failed, or completed with errors,') }),
    alerts: z.object({ failed: since('Deliveries that failed') }),
  })
  .meta({ id: 'Overview' });
export type OverviewRecord = z.input<typeof overviewRecord>;

export function toOverviewRecord(counts: OverviewCounts, { at, since }: OverviewTimes): OverviewRecord {
  return {
    at: toRfc3339(at),
    since: toRfc3339(since),
    most: MAX_COUNTED,
    traces: {
      has_any: counts.traces_any > 0,
      new: counts.traces_new,
      failed: counts.traces_failed,
      running: counts.traces_running,
      analysis_waiting: counts.analyses_waiting,
      analysis_given_up: counts.traces_given_up,
    },
    issues: {
      open: counts.issues_open,
      critical: counts.issues_critical,
      new: counts.issues_new,
      regressed: counts.issues_regressed,
      resolved: counts.issues_resolved,
      ignored: counts.issues_ignored,
    },
    detections: { new: counts.detections_new },
    healing: {
      pending_approval: counts.healing_pending,
      unknown: counts.healing_unknown,
      waiting: counts.healing_waiting,
    },
    imports: { active: counts.imports_active, failed: counts.imports_failed },
    alerts: { failed: counts.alerts_failed },
  };
}
