import { expect, test } from 'vitest';
import type { Detection } from '../../../client/misstep-client.generated.ts';
import { detectionLine, escapeMarkdown } from './trace-markdown.ts';

test.each([
  ['a\nb  c', 'a b c'],
  ['[x](javascript:y)', '\\[x\\]\\(javascript:y\\)'],
  ['<img src=x>', '\\<img src=x\\>'],
  ['![](http://a.test)', '\\!\\[\\]\\(http:\\//a.test\\)'],
  ['@everyone', '\\@everyone'],
  ['`code`', '\\`code\\`'],
])('%j is escaped', (text, expected) => {
  expect(escapeMarkdown(text)).toBe(expected);
});

test('a detection has its agent, its step and its waste', () => {
  const detection = {
    severity: 'critical',
    title: 'The same call repeated',
    explanation: 'It called search 14 times.',
    suggested_action: 'Stop after 2 rounds.',
    agent_id: 'guide_1',
    step: 4,
    wasted_tokens: 12_345,
    wasted_cost_usd: 0.0589,
    confidence: 0.95,
    confidence_kind: 'fact',
  } as unknown as Detection;
  const [head, explanation, ...rest] = detectionLine(detection).split('\n');
  expect(head).toMatch(/^- \*\*critical\*\*, guide\\_1, step 4: The same call repeated \(/);
  expect([explanation, ...rest]).toEqual([
    '  It called search 14 times.',
    '  Wasted: $0.0589, 12,345 tokens',
    '  Fix: Stop after 2 rounds.',
  ]);
});
