import type { Issue } from '../../../client/misstep-client.generated.ts';
import { pluralize } from '../../parts/amounts.ts';
import { fixProgress } from './issue-fix.ts';

type Summarized = Pick<Issue, 'status' | 'is_new' | 'regressed_at' | 'run_count' | 'plans' | 'fix_outcome'>;

/** Whether an issue is new, and in how many runs it was detected: `New issue, 4 runs`. */
export function issueSummary(issue: Summarized): string {
  const didNotHold = fixProgress(issue) === 'did not hold';
  return `${stateOf(issue, didNotHold)} issue, ${pluralize(issue.run_count, 'run')}${didNotHold ? ', fix did not hold' : ''}`;
}

function stateOf({ status, is_new, regressed_at }: Summarized, didNotHold: boolean): string {
  if (status === 'resolved') return 'Resolved';
  if (status === 'ignored') return 'Ignored';
  if (regressed_at !== null) return 'Regressed';
  return is_new && !didNotHold ? 'New' : 'Known';
}
