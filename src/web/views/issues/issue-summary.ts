import type { Issue } from '../../../client/misstep-client.generated.ts';
import { pluralize } from '../../parts/amounts.ts';
import { fixProgress } from './issue-fix.ts';

type Summarized = Pick<Issue, 'status' | 'is_new' | 'regressed_at' | 'run_count' | 'plans' | 'fix_outcome'>;

/** Whether an issue is new, in how many runs it was detected, and how far its fix is: `Known issue, 4 runs, fix applied`. */
export function issueSummary(issue: Summarized): string {
  const progress = fixProgress(issue);
  return `${stateOf(issue)} issue, ${pluralize(issue.run_count, 'run')}${progress === null ? '' : `, fix ${progress}`}`;
}

function stateOf({ status, is_new, regressed_at }: Summarized): string {
  if (status === 'resolved') return 'Resolved';
  if (status === 'ignored') return 'Ignored';
  if (regressed_at !== null) return 'Regressed';
  return is_new ? 'New' : 'Known';
}
