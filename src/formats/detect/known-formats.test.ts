import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FORMAT_TITLES, knownFormats } from './known-formats.ts';

test('the list of known formats is short and names each product once', () => {
  const list = knownFormats();
  expect(list.length).toBeLessThan(500);
  for (const product of [
    'Claude Code',
    'Codex',
    'Copilot CLI',
    'Qwen Code',
    'SWE-agent',
    'Langfuse',
    'OTLP (JSON, protobuf)',
  ])
    expect(list.split(product), product).toHaveLength(2);
});

test('docs/import-export.md names each of them', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/import-export.md'), 'utf8');
  const formats = page.split('\n## Importing files\n')[1]!.split('\n\n')[0]!;
  expect(FORMAT_TITLES.filter((title) => !new RegExp(`\\b${title}\\b`).test(formats))).toEqual([]);
});
