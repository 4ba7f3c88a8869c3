import { describe, expect, it } from 'vitest';
import type { SendOutcome } from '../../core/alert.ts';
import type { TraceTable } from '../../store/schema.ts';
import { alertFigures, analysisFigures, ingestFigures } from './figure-growth.ts';

const trace = (total_tokens: number, cost_usd: number | null) => ({ total_tokens, cost_usd }) as TraceTable;

describe('what grows', () => {
  it.each<[SendOutcome['kind'], string[]]>([
    ['delivered', ['email/delivered']],
    ['failed', ['email/failed']],
    ['removed', ['email/failed']],
    ['retry', []],
  ])('with an alert that is %s', (kind, labels) => {
    const figures = alertFigures(7, 'email', { kind } as SendOutcome);
    expect(figures.map((figure) => figure.label)).toEqual(labels);
  });

  it.each([
    ['a first analysis', trace(0, null), trace(10, 0.5), [10, 0.5]],
    ['a second one', trace(10, 0.5), trace(12, 0.5), [2, 0]],
    ['a model without a price', trace(0, null), trace(10, null), [10, 0]],
  ])('with %s', (_title, before, after, values) => {
    expect(analysisFigures(1, [{ before, after }], []).map((figure) => figure.value)).toEqual(values);
  });

  it('with spans: traces only when they are new', () => {
    const touched = [true, false].map((isNew, at) => ({
      tenantNo: 1,
      traceId: `t${at}`,
      hasRootEnded: false,
      isNew,
      isBookkeeping: false,
      startedAt: 0,
      analyzedAt: 0,
      name: 'run',
      framework: 'unknown',
      status: 'running',
      spanCount: 1,
    }));
    const figures = ingestFigures(touched, [], Date.UTC(2026, 0, 31, 23, 59));
    expect(figures.map(({ name, label, value }) => [name, label, value])).toEqual([
      ['traces', '', 1],
      ['day_traces', '2026-01-31', 1],
    ]);
  });
});
