import { expect, test } from 'vitest';
import type { Json } from '../../core/json.ts';
import type { NodeRun } from './execution-shape.ts';
import { missingFields } from './missing-fields.ts';

const ITEMS: Json[] = [
  { sku: 'pot', customer: { email: 'a@example.org' }, notes: ['x'] },
  { sku: 'soil', left: null },
];

function runOf(items: Json[]): NodeRun {
  const main = [items.map((json) => ({ json }))];
  const times = { startMs: 1, endMs: 2, runIndex: 0, executionIndex: 0 };
  return {
    node: 'Read stock',
    type: '',
    ...times,
    source: [],
    data: { main },
    inputOverride: {},
    error: null,
    subExecutions: [],
  };
}

const SOURCE = [{ node: 'Read stock', output: 0, run: 0 }];
const READ = runOf(ITEMS);
const find = (node: string, run: number) => (node === 'Read stock' && run === 0 ? READ : null);
const requesting = (parameters: Json, type = 'n8n-nodes-base.httpRequest') =>
  missingFields({ type, parameters }, SOURCE, find).map(({ path, setting, alike }) => [path, setting, alike]);

test.each<[string, Json, Json[]]>([
  ['a present field', { url: '={{ $json.sku }}' }, []],
  ['a field that some items have', { url: '={{ $json.left }}' }, []],
  ['a field that is null', { url: '={{ $json.left }}' }, []],
  ['a field that no item has', { url: '=https://x.example/{{ $json.colour }}' }, [['colour', 'url', null]]],
  ['a field in another case', { url: '={{ $json.Sku }}' }, [['Sku', 'url', 'sku']]],
  ['a field with one extra letter', { url: '={{ $json.customers }}' }, [['customers', 'url', 'customer']]],
  ['one of two names for a field', { to: '={{ $json.customers }}{{ $json.customer }}' }, [['customers', 'to', null]]],
  ['a short name that is similar to another', { url: '={{ $json.sky }}' }, [['sky', 'url', null]]],
  ['a field inside another', { to: '={{ $json.customer.email }}' }, []],
  ['a field that is missing inside another', { to: '={{ $json.customer.phone }}' }, [['customer.phone', 'to', null]]],
  ['an entry of a list', { to: '={{ $json.notes.length }}' }, []],
  ['a field in brackets', { to: `={{ $json["e-mail"] }} {{ $json['sku'] }}` }, [['e-mail', 'to', null]]],
  ['a setting within settings', { body: { parameters: [{ value: '={{ $json.size }}' }] } }, [['size', 'body', null]]],
  ['a text that is not an expression', { url: '{{ $json.colour }}' }, []],
  ['a default for a field', { url: "={{ $json.colour ?? 'red' }}" }, []],
  ['a method of a field', { url: '={{ $json.colour.toUpperCase() }}' }, []],
  ['a condition on a field', { url: '={{ $json.colour ? 1 : 2 }}' }, []],
  ['a field of another node', { url: "={{ $('Read stock').item.json.colour }}" }, [['colour', 'url', null]]],
  [
    'a field that another node has',
    { url: `={{ $node["Read stock"].json.sku }}{{ $('Read stock').first().json.sku }}` },
    [],
  ],
  ['a field of a node that did not run', { url: "={{ $('Nowhere').item.json.colour }}" }, []],
  ['no settings', null, []],
])('%s', (_, parameters, expected) => {
  expect(requesting(parameters)).toEqual(expected);
});

test('nodes that test whether a field exists have no missing fields', () => {
  expect(requesting({ conditions: ['={{ $json.colour }}'] }, 'n8n-nodes-base.if')).toEqual([]);
});

test('a node without input items has no missing fields', () => {
  const node = { type: 'x', parameters: { url: '={{ $json.colour }}' } };
  expect(missingFields(node, SOURCE, () => runOf([]))).toEqual([]);
  expect(missingFields(node, [], find)).toEqual([]);
  expect(missingFields(node, SOURCE, () => ({ ...READ, data: { main: [null] } }))).toEqual([]);
});
