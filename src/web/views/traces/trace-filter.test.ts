import { describe, expect, it } from 'vitest';
import { chipsOf, FACETS, filterOf, orderedValues, rangeOf, type TracesQuery, withChange } from './trace-filter.ts';

describe('filterOf', () => {
  it('uses the names of the operation and omits unset filters', () => {
    const query: TracesQuery = { q: 'refund', agent: 'planner', workflow: 'wf_1', from: '2026-01-01', sort: 'cost' };
    expect(filterOf(query)).toEqual({
      q: 'refund',
      agent_id: 'planner',
      workflow_id: 'wf_1',
      date_from: '2026-01-01',
    });
    expect(filterOf({ cost: 'unknown' })).toEqual({ unpriced: true });
    expect(filterOf({ cost: 'anything' })).toEqual({});
    expect(filterOf({})).toEqual({});
  });

  it('a change of the filter returns to the first page', () => {
    const query: TracesQuery = { status: 'ok', cursor: 'abc', sort: 'cost' };
    expect(withChange(query, { model: 'o3' })).toEqual({ status: 'ok', model: 'o3', sort: 'cost' });
    expect(withChange(query, { status: undefined })).toEqual({ sort: 'cost' });
    expect(withChange(query, { status: '' })).toEqual({ sort: 'cost' });
  });
});

describe('chipsOf', () => {
  it('returns a chip for each filter, with the query without it', () => {
    const query: TracesQuery = { status: 'error', workflow: 'wf_1', q: 'a', from: '2026-01-01', to: '2026-02-01' };
    const chips = chipsOf(query, new Map([['workflow wf_1', 'Refunds']]));
    expect(chips.map(({ label, value }) => `${label} ${value}`)).toEqual([
      'Status failed',
      'Workflow Refunds',
      'Text a',
      'From 2026-01-01',
      'Before 2026-02-01',
    ]);
    for (const { without } of chips) expect(Object.keys(without)).toHaveLength(4);
    expect(chipsOf({ cost: 'unknown' }, new Map())).toEqual([{ label: 'Cost', value: 'not measured', without: {} }]);
    expect(chipsOf({ sort: 'cost' }, new Map())).toEqual([]);
  });

  it('supports every facet', () => {
    const query = Object.fromEntries(FACETS.map(({ facet }) => [facet, 'x']));
    expect(chipsOf(query, new Map())).toHaveLength(FACETS.length);
  });
});

it('grades are in order, other values as they come', () => {
  const values = ['B', 'F', 'A'].map((value) => ({ value }));
  expect(orderedValues('grade', values).map(({ value }) => value)).toEqual(['A', 'B', 'F']);
  expect(orderedValues('agent', values)).toEqual(values);
});

describe('rangeOf', () => {
  const buckets = ['00', '01', '02', '03'].map((hour) => ({ start: `2026-01-01T${hour}:00:00.000Z` }));
  it.each([
    [1, 2, '01', '03'],
    [2, 1, '01', '03'],
    [1, 1, '01', '02'],
    [-5, 99, '00', '04'],
  ])('the time range from bar %i to bar %i', (startIndex, endIndex, from, to) => {
    expect(rangeOf(buckets, 3_600_000, startIndex, endIndex)).toEqual({
      from: `2026-01-01T${from}:00:00.000Z`,
      to: `2026-01-01T${to}:00:00.000Z`,
    });
  });
});
