import { expect, test } from 'vitest';
import { readToolDeclaration } from './tool-declarations.ts';

const schema = { type: 'object', properties: { city: { type: 'string' } } };
const full = { name: 'weather', description: 'd', parameters: schema };

test.each<[string, string, object[]]>([
  ['OpenAI', JSON.stringify({ type: 'function', function: full }), [full]],
  ['Vercel', JSON.stringify({ type: 'function', name: 'weather', description: 'd', inputSchema: schema }), [full]],
  ['Anthropic, in a list', JSON.stringify([{ name: 'weather', description: 'd', input_schema: schema }]), [full]],
  [
    'Bedrock',
    JSON.stringify({ toolSpec: { name: 'weather', description: 'd', inputSchema: { json: schema } } }),
    [full],
  ],
  [
    'names only',
    '["a","b"]',
    [
      { name: 'a', description: '', parameters: null },
      { name: 'b', description: '', parameters: null },
    ],
  ],
  ['a bare name', 'weather', [{ name: 'weather', description: '', parameters: null }]],
  ['nothing readable', '[{"type":"web_search"}, 5, null]', []],
])('%s', (_, text, tools) => {
  expect(readToolDeclaration(text)).toEqual(tools);
});
