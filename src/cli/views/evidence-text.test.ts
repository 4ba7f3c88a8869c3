import { expect, it } from 'vitest';
import type { Json } from '../../core/json.ts';
import { evidenceText } from './evidence-text.ts';

it.each<[string | null, Json, string]>([
  ['a quote', { tokens: 1 }, 'a quote'],
  [null, null, ''],
  [null, { tokens: 146_839, context_window: 200_000, is_estimated: false }, 'tokens 146,839, context window 200,000'],
  [null, { tokens: 1, is_estimated: true, trigger: null }, 'tokens 1, estimated'],
  [null, { file: '/srv/uv.lock', read_again_at_step: 290 }, 'file /srv/uv.lock, read again at step 290'],
  [null, '{"chars":"","wait":1}', '{"chars":"","wait":1}'],
  [null, ['length', 'stop'], 'length, stop'],
  [null, 0.25, '0.25'],
  [null, { calls: [{ a: 1 }] }, 'calls [{"a":1}]'],
])('%j %j is %j', (quote, value, text) => expect(evidenceText({ quote, value })).toBe(text));
