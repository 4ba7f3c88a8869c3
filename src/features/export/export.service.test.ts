import { Readable } from 'node:stream';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { derailedRun } from '../../../test/support/derailed-run.ts';
import { makeSpan } from '../../../test/support/make-span.ts';
import { openStoreApp, runSpans, type StoreApp, spanIdOf, traceIdOf } from '../../../test/support/store-app.ts';
import type { Span } from '../../core/span.ts';
import { type Caller, SCOPES } from '../_kit/caller.ts';

let store: StoreApp;
let tenantId: string;
beforeEach(async () => {
  store = await openStoreApp();
  tenantId = await store.newTenant();
  // The subtype of the derailed run is in preview: its detections are observations until the detector is switched on.
  await store.services.settings.switchDetectors(tenantId, { derailment: true });
});
afterEach(() => store.close());

const CALLER: Caller = { tenantId: null, keyId: null, scopes: SCOPES, isOperator: true };

async function exported(tenant: string): Promise<string[]> {
  let text = '';
  for await (const piece of await store.services.exports.lines(tenant)) text += Buffer.from(piece).toString();
  return text.split(/(?<=\n)/);
}

/** @returns the import job's record */
async function taken(tenant: string, lines: readonly string[]) {
  const file = await store.services.imports.receive(Readable.from(lines.map((line) => Buffer.from(line))));
  const request = { fileName: 'export.jsonl', format: null, isAlerting: false };
  const job = await store.services.imports.add(tenant, file, request);
  await store.services.imports.runDue(1);
  return store.services.imports.get(tenant, job.import_job_id);
}

/** An export without what says whose and when it is. */
const content = (lines: readonly string[]) => lines.slice(1).sort();

const detections = async (tenant: string, traceId: string) =>
  (await store.services.detections.ofTrace(tenant, traceId)).map(({ issue_id: _, ...detection }) => detection);

describe('what is exported', () => {
  it('is restored unchanged: spans, detections, feedback, settings', async () => {
    await store.send(tenantId, [...runSpans(1), ...derailedRun(2)]);
    await store.settle();
    const [found] = await store.services.detections.ofTrace(tenantId, traceIdOf(2));
    const word = { detectionId: found!.detection_id, isValid: false, comment: 'it was asked to' };
    await store.services.feedback.validate(tenantId, word, CALLER);
    await store.services.thresholds.change(tenantId, {
      max_steps: 40,
      frameworks: { langgraph: { max_steps: 9 } },
    } as never);
    await store.services.settings.switchDetectors(tenantId, { cost_overrun: false, derailment: true });
    await store.services.settings.changeOverrides(tenantId, { loop: 0.8 });
    const lines = await exported(tenantId);

    const other = await store.newTenant('other');
    expect(await taken(other, lines)).toMatchObject({
      status: 'completed',
      error_count: 0,
      spans_accepted: 4 + derailedRun(2).length,
    });
    expect(await detections(other, traceIdOf(2))).toEqual(await detections(tenantId, traceIdOf(2)));
    expect(content(await exported(other))).toEqual(content(lines));

    store.clock.advance(60_000);
    await store.settle();
    const [again] = await store.services.detections.ofTrace(other, traceIdOf(2));
    expect(again).toMatchObject({ detection_id: found!.detection_id, validated: true });
    expect(again!.validation).toMatchObject({ is_valid: false, feedback: 'it was asked to' });
    expect(await (await store.services.traces.get(other, traceIdOf(2))).value()).toMatchObject({
      detection_count: expect.any(Number),
    });
    expect(await store.services.settings.overrides(other)).toEqual(await store.services.settings.overrides(tenantId));
  });

  it('is the same after any round trip', async () => {
    const value: fc.Arbitrary<Span['attributes'][string]> = fc.oneof(
      fc.string({ maxLength: 12 }),
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      fc.array(fc.string({ maxLength: 5 }), { maxLength: 3 }),
      fc.constant({ $int64: '1152921504606846976' }),
    );
    const span = fc.record({
      trace: fc.integer({ min: 1, max: 3 }),
      id: fc.integer({ min: 0, max: 5 }),
      parent: fc.option(fc.integer({ min: 0, max: 5 })),
      name: fc.string({ maxLength: 20 }),
      startNs: fc.bigInt({ min: 0n, max: 9_000_000_000_000_000_000n }),
      lastedNs: fc.option(fc.bigInt({ min: 0n, max: 1_000_000_000_000n })),
      attributes: fc.dictionary(fc.string({ minLength: 1, maxLength: 10 }), value, { maxKeys: 4 }),
    });
    const toSpan = (made: typeof span extends fc.Arbitrary<infer Made> ? Made : never) =>
      makeSpan({
        traceId: traceIdOf(made.trace),
        spanId: spanIdOf(made.id),
        parentSpanId: made.parent === null ? null : spanIdOf(made.parent),
        name: made.name,
        startNs: made.startNs,
        endNs: made.lastedNs === null ? null : made.startNs + made.lastedNs,
        attributes: made.attributes as Span['attributes'],
      });
    let round = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(span, { minLength: 1, maxLength: 12 }), async (made) => {
        round += 1;
        const [from, to] = [await store.newTenant(`from ${round}`), await store.newTenant(`to ${round}`)];
        await store.services.ingest.ingestSpans(from, { spans: made.map(toSpan), rejections: [] });
        const lines = await exported(from);
        expect(await taken(to, lines)).toMatchObject({ status: 'completed', error_count: 0 });
        expect(content(await exported(to))).toEqual(content(lines));
      }),
      { seed: 11, numRuns: 25 },
    );
  }, 60_000);

  it('contains no data of other tenants and no channel address', async () => {
    const other = await store.newTenant('other');
    await store.send(other, runSpans(7));
    const secret = 'https://hooks.example.com/services/T0/B0/zebrafinch';
    await store.services.alerts.changePreferences(tenantId, {
      channels: { team_chat: { enabled: true, webhook_url: secret } },
    } as never);
    const text = (await exported(tenantId)).join('');
    expect(text).not.toContain(traceIdOf(7));
    expect(text).not.toContain('zebrafinch');
  });

  it('ends with a line of counts', async () => {
    await store.send(tenantId, runSpans(1));
    const lines = await exported(tenantId);
    expect(JSON.parse(lines[0]!)).toMatchObject({ format: 'misstep.export/1', kind: 'header', tenant_id: tenantId });
    expect(JSON.parse(lines.at(-1)!)).toMatchObject({ kind: 'end', traces: 1, spans: 4, detections: 0 });
  });
});

describe('a line written by hand', () => {
  const line = (entry: object) => `${JSON.stringify({ format: 'misstep.export/1', ...entry })}\n`;
  const detectionLine = async () => {
    await store.send(tenantId, derailedRun(2));
    await store.settle();
    const lines = await exported(tenantId);
    return JSON.parse(lines.find((text) => text.includes('"kind":"detection"'))!) as Record<string, unknown>;
  };

  it.each([
    ['an unknown kind', { kind: 'tenant' }, '/kind'],
    ['a setting that cannot be imported', { kind: 'setting', name: 'retention', value: { days: 1 } }, '/value'],
    ['a setting that fits nothing', { kind: 'setting', name: 'thresholds', value: { max_steps: -1 } }, '/value'],
    ['a detection without anything', { kind: 'detection' }, '/detection_id'],
  ])('an invalid line does not affect others: %s', async (_name, item, pointer) => {
    const lines = [line(item), ...runSpans(1).map((span) => `${JSON.stringify(spanLine(span))}\n`)];
    const job = await taken(tenantId, lines);
    expect(job).toMatchObject({ status: 'completed_with_errors', records_failed: 1, spans_accepted: 4 });
    const { errors } = await store.services.imports.results(tenantId, job.import_job_id, {
      page: 1,
      pageSize: 5,
      cursor: null,
    });
    expect(errors).toMatchObject([{ line: 1, pointer: expect.stringMatching(`^${pointer}`) }]);
  });

  it('is redacted', async () => {
    const detection = await detectionLine();
    const secret = `sk-proj-${'Zk3vQ9tLmX7bN2cR'.repeat(2)}`;
    const other = await store.newTenant('other');
    const leaky = { ...detection, detection: { ...(detection.detection as object), explanation: `it said ${secret}` } };
    await taken(other, [...(await exported(tenantId)).filter((text) => text.includes('misstep.span/1')), line(leaky)]);
    const [stored] = await detections(other, traceIdOf(2));
    expect(stored!.explanation).toMatch(/^it said \[redacted:/);
  });

  it('creates no detection of a missing trace', async () => {
    const other = await store.newTenant('other');
    const job = await taken(other, [line(await detectionLine())]);
    expect(job).toMatchObject({ status: 'failed', failure: expect.stringContaining('its trace does not exist') });
    expect(await store.db.selectFrom('detections').select('tenant_no').where('tenant_no', '=', 2).execute()).toEqual(
      [],
    );
  });
});

function spanLine({ startNs, endNs, events, ...rest }: Span) {
  return {
    format: 'misstep.span/1',
    ...rest,
    startNs: String(startNs),
    endNs: endNs === null ? null : String(endNs),
    events: events as never,
  };
}
