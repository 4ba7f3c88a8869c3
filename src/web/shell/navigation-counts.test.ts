import { expect, it } from 'vitest';
import type { Overview } from '../../client/misstep-client.generated.ts';
import { navigationCounts } from './navigation-counts.ts';

function overview(parts: { open?: number; waiting?: number; active?: number; failed?: number }) {
  return {
    most: 1_000,
    issues: { open: parts.open ?? 0 },
    healing: { waiting: parts.waiting ?? 0 },
    imports: { active: parts.active ?? 0 },
    alerts: { failed: parts.failed ?? 0 },
  } as Overview;
}

it.each([
  ['the overview is not loaded', undefined, {}],
  ['no item needs an action', overview({}), {}],
  ['issues are open', overview({ open: 14 }), { issues: { text: '14', label: 'open' } }],
  [
    'more issues are open than the server counts',
    overview({ open: 1_000 }),
    { issues: { text: '999+', label: 'open' } },
  ],
  ['plans wait for a person', overview({ waiting: 3 }), { healing: { text: '3', label: 'waiting for a person' } }],
  [
    'an import runs and an alert failed',
    overview({ active: 1, failed: 2 }),
    {
      imports: { text: '1', label: 'active' },
      alerts: { text: '2', label: 'not delivered in the last day' },
    },
  ],
])('counts in the navigation when %s', (_case, overviewValue, expected) => {
  expect(navigationCounts(overviewValue)).toEqual(expected);
});
