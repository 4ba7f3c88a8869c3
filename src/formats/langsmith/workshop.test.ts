import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { compactTrace } from '../../../test/support/compact-trace.ts';
import { mergeSpans } from '../../core/merge-spans.ts';
import type { Span } from '../../core/span.ts';
import { EMPTY_CATALOG } from '../model-catalog/catalog.ts';
import { decodeOtlpProtobuf } from '../otlp/decode-protobuf.ts';
import { buildTrace } from '../trace-model/build-trace.ts';
import { decodeRunsMultipart } from './decode-multipart.ts';

const fixture = (name: string) => readFileSync(new URL(`../../../test/fixtures/langsmith/${name}`, import.meta.url));
const compact = (spans: readonly Span[]) =>
  compactTrace(buildTrace(mergeSpans(spans), { models: EMPTY_CATALOG, isSettled: true }));
const read = (name: string) => decodeRunsMultipart(fixture(name), { isPartial: true }).spans;

const whole = compact(read('workshop.multipart'));

it('a run sent by the SDK equals the run sent as spans', () => {
  expect(compact(decodeOtlpProtobuf(fixture('workshop.otlp.pb')).spans)).toEqual(whole);
  expect(whole).toMatchObject({ name: 'visit', session: 'visit-31', tokens: [80, 15, 95], status: 'ok' });
  expect(JSON.stringify(whole)).toContain('error Error: Error: connect ETIMEDOUT');
});

it('a run that is posted and patched in two batches is the same, in any order, sent once or twice', () => {
  const [posted, patched] = [read('workshop-posted.multipart'), read('workshop-patched.multipart')];
  for (const order of [
    [posted, patched],
    [patched, posted],
    [posted, patched, posted, patched],
    [posted, patched, patched, posted],
  ])
    expect(compact(order.flat())).toEqual(whole);
});
