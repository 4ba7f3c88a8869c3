import type { Issue } from '../../../client/misstep-client.generated.ts';
import { pluralize } from '../../parts/amounts.ts';
import { timeText } from '../../parts/times.ts';

/** Until when an issue sends no alert; null for one that is neither snoozed nor ignored. */
export function mutedText({
  status,
  ignored_until,
  ignored_runs_left,
}: Pick<Issue, 'status' | 'ignored_until' | 'ignored_runs_left'>): string | null {
  if (status === 'snoozed') return ignored_until === null ? 'snoozed' : `snoozed until ${timeText(ignored_until)}`;
  if (status !== 'ignored') return null;
  return ignored_runs_left === null ? 'ignored' : `ignored for ${pluralize(ignored_runs_left, 'more run')}`;
}
