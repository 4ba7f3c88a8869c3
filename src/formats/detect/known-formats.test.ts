import { expect, test } from 'vitest';
import { knownFormats } from './known-formats.ts';

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
