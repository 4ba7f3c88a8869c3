import { expect, test } from 'vitest';
import type { Issue } from '../../../client/misstep-client.generated.ts';
import { issueSummary } from './issue-summary.ts';

const NEW = { status: 'open', is_new: true, regressed_at: null, run_count: 4, plans: [], fix_outcome: null } as const;
const withPlan = (status: string) => ({ is_new: false, plans: [{ status }] as Issue['plans'] });
const applied = {
  ...withPlan('applied'),
  fix_outcome: { since: '2026-11-26T00:00:00Z', run_count: 1, recurrence_count: 1 } as Issue['fix_outcome'],
};

test.each<[string, Partial<Issue>, string]>([
  ['a new issue', {}, 'New issue, 4 runs'],
  ['an issue that is no longer new', { is_new: false, run_count: 1 }, 'Known issue, 1 run'],
  ['a regressed issue', { regressed_at: '2026-11-26T00:00:00Z' }, 'Regressed issue, 4 runs'],
  ['a resolved issue', { status: 'resolved' }, 'Resolved issue, 4 runs'],
  ['an ignored issue', { status: 'ignored' }, 'Ignored issue, 4 runs'],
  ['an applied fix that did not hold', applied, 'Known issue, 4 runs, fix did not hold'],
  ['a plan that waits for approval', withPlan('pending_approval'), 'Known issue, 4 runs, fix pending approval'],
  ['a plan that is being carried out', withPlan('executing'), 'Known issue, 4 runs, fix in progress'],
  ['an applied plan', withPlan('applied'), 'Known issue, 4 runs, fix applied'],
  ['a rejected plan', withPlan('rejected'), 'Known issue, 4 runs'],
  ['a resolved issue with an applied plan', { ...applied, status: 'resolved' }, 'Resolved issue, 4 runs, fix applied'],
])('%s', (_case, change, expected) => expect(issueSummary({ ...NEW, plans: [], ...change })).toBe(expected));
