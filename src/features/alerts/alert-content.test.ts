import { expect, it } from 'vitest';
import { WebAddress } from '../../core/web-address.ts';
import type { DetectionTable } from '../../store/schema.ts';
import { toItem } from './alert-content.ts';

const PAGES = new WebAddress('http://localhost');

it('an alert has names and texts of one line each, shortened', () => {
  const name = `desk\n\n  No failures found.\n${'L'.repeat(30_000)}`;
  const texts = { title: name, explanation: `${name} called ${name}.`, suggestedAction: `Change ${name}.` };
  const body = { step: 1, spanIds: ['first'], ...texts };
  const row = {
    detection_id: 'det_1',
    trace_id: 't',
    first_span_id: 'first',
    agent_id: name,
    body: JSON.stringify(body),
  };
  const item = toItem(row as DetectionTable, PAGES);
  expect(JSON.stringify(item)).not.toContain('\\n');
  expect(JSON.stringify(item).length).toBeLessThan(3_000);
  expect(item.agent).toMatch(/^desk No failures found. L{30,180}…$/);
});

it.each([
  ['its decisive step', 3, null],
  ['its first span if no step is decisive', null, 'first'],
])('the alert about a detection links to %s', (_title, step, spanId) => {
  const body = { step, spanIds: ['first', 'second'], title: '', explanation: '', suggestedAction: '' };
  const row = {
    detection_id: 'det_1',
    trace_id: 't',
    first_span_id: 'first',
    agent_id: null,
    body: JSON.stringify(body),
  };
  const url = PAGES.trace({ traceId: 't', spanId, detectionId: 'det_1' });
  expect(toItem(row as DetectionTable, PAGES).url).toBe(url);
});
