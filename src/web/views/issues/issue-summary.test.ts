import { expect, test } from 'vitest';
import type { Issue } from '../../../client/misstep-client.generated.ts';
import { issueSummary } from './issue-summary.ts';

const NEW = { status: 'open', is_new: true, regressed_at: null, run_count: 4, plans: [], fix_outcome: null } as const;
const applied = {
  plans: [{ status: 'applied' }] as Issue['plans'],
  fix_outcome: { since: '2026-11-26T00:00:00Z', run_count: 1, recurrence_count: 1 } as Issue['fix_outcome'],
};

test.each<[string, Partial<Issue>, string]>([
  ['a new issue', {}, 'New issue, 4 runs'],
  ['an issue that is no longer new', { is_new: false, run_count: 1 }, 'Known issue, 1 run'],
  ['a regressed issue', { regressed_at: '2026-11-26T00:00:00Z' }, 'Regressed issue, 4 runs'],
  ['a resolved issue', { status: 'resolved' }, 'Resolved issue, 4 runs'],
  ['an ignored issue', { status: 'ignored' }, 'Ignored issue, 4 runs'],
  ['an applied fix that did not hold', applied, 'Known issue, 4 runs, fix did not hold'],
])('%s', (_case, change, expected) => expect(issueSummary({ ...NEW, plans: [], ...change })).toBe(expected));
