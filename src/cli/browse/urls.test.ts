import { expect, it } from 'vitest';
import { WebAddress } from '../../core/web-address.ts';
import { urlOfDetection } from './urls.ts';

const PAGES = new WebAddress('http://localhost');
const DETECTION = { trace_id: 't', detection_id: 'det_1', span_ids: ['first', 'second'] };

it.each([
  ['its decisive step', 3, null],
  ['its first span if no step is decisive', null, 'first'],
])('the URL of a detection opens %s', (_title, step, spanId) => {
  const url = PAGES.trace({ traceId: 't', spanId, detectionId: 'det_1' });
  expect(urlOfDetection(PAGES, { ...DETECTION, step })).toBe(url);
});
