import { expect, test } from 'vitest';
import { isIndexed } from './indexed-filters.ts';
import { toTraceFilter, traceFilterQuery } from './trace-filter.query.ts';

const filterOf = (query: object) => toTraceFilter(traceFilterQuery.parse(query));

test.each([
  ['no filter', {}, true],
  ['a status', { status: 'error' }, true],
  ['ids', { ids: 'a,b' }, true],
  ['unknown cost', { unpriced: true }, false],
  ['a status and ids', { status: 'error', ids: 'a,b' }, false],
  ['a text', { q: 'refund' }, false],
])('whether an index covers the list: %s', (_, query, expected) => {
  expect(isIndexed(filterOf(query), 'started_at')).toBe(expected);
});
