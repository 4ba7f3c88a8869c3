import { expect, it } from 'vitest';
import { WebAddress } from '../../core/web-address.ts';
import type { DetectionTable } from '../../store/schema.ts';
import { toItem } from './alert-content.ts';

const PAGES = new WebAddress('http://localhost');

it.each([
  ['its decisive step', 3, null],
  ['its first span if no step is decisive', null, 'first'],
])('the alert about a detection links to %s', (_title, step, spanId) => {
  const body = { step, spanIds: ['first', 'second'], title: '', explanation: '', suggestedAction: '' };
  const row = { detection_id: 'det_1', trace_id: 't', first_span_id: 'first', body: JSON.stringify(body) };
  const url = PAGES.trace({ traceId: 't', spanId, detectionId: 'det_1' });
  expect(toItem(row as DetectionTable, PAGES).url).toBe(url);
});
