import { describe, expect, it } from 'vitest';
import { changed, chipsOf, FACETS, filterOf, rangeOf, type TracesQuery } from './trace-filter.ts';

describe('the filter of an address', () => {
  it('has the names of the operation, and nothing that is not set', () => {
    const query: TracesQuery = { q: 'refund', agent: 'planner', workflow: 'wf_1', from: '2026-01-01', sort: 'cost' };
    expect(filterOf(query)).toEqual({
      q: 'refund',
      agent_id: 'planner',
      workflow_id: 'wf_1',
      date_from: '2026-01-01',
    });
    expect(filterOf({})).toEqual({});
  });

  it('begins at the first page when it changes', () => {
    const query: TracesQuery = { status: 'ok', cursor: 'abc', sort: 'cost' };
    expect(changed(query, { model: 'o3' })).toEqual({ status: 'ok', model: 'o3', sort: 'cost' });
    expect(changed(query, { status: undefined })).toEqual({ sort: 'cost' });
    expect(changed(query, { status: '' })).toEqual({ sort: 'cost' });
  });
});

describe('the chips', () => {
  it('are one for each filter, and each leads to the query without it', () => {
    const query: TracesQuery = { status: 'error', workflow: 'wf_1', q: 'a', from: '2026-01-01', to: '2026-02-01' };
    const chips = chipsOf(query, new Map([['workflow wf_1', 'Refunds']]));
    expect(chips.map(({ label, value }) => `${label} ${value}`)).toEqual([
      'Status error',
      'Workflow Refunds',
      'Text a',
      'From 2026-01-01',
      'Before 2026-02-01',
    ]);
    for (const { without } of chips) expect(Object.keys(without)).toHaveLength(4);
    expect(chipsOf({ sort: 'cost' }, new Map())).toEqual([]);
  });

  it('are there for every facet', () => {
    const query = Object.fromEntries(FACETS.map(({ facet }) => [facet, 'x']));
    expect(chipsOf(query, new Map())).toHaveLength(FACETS.length);
  });
});

describe('a drag over the histogram', () => {
  const buckets = ['00', '01', '02', '03'].map((hour) => ({ start: `2026-01-01T${hour}:00:00.000Z` }));
  it.each([
    [1, 2, '01', '03'],
    [2, 1, '01', '03'],
    [1, 1, '01', '02'],
    [-5, 99, '00', '04'],
  ])('from bar %i to bar %i', (one, other, from, to) => {
    expect(rangeOf(buckets, 3_600_000, one, other)).toEqual({
      from: `2026-01-01T${from}:00:00.000Z`,
      to: `2026-01-01T${to}:00:00.000Z`,
    });
  });
});
