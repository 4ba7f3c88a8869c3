import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ALL_ISSUES } from '../../../test/support/all-issues.ts';
import { openStoreApp, runSpans, type StoreApp, traceIdOf } from '../../../test/support/store-app.ts';
import type { Detection } from '../../core/detection.ts';
import type { Severity } from '../../core/severity.ts';
import { createModelCatalog } from '../../formats/model-catalog/catalog.ts';
import type { AnalysisOutcome } from '../analysis/analyze-chunks.ts';
import { createInThreadExecutor } from '../analysis/executor.ts';
import { issueFingerprint, issueScopeOf } from './issue-scope.ts';

const TRACE = traceIdOf(1);
const LOOP_OF_SERVICE = issueFingerprint(
  'fp-loop',
  issueScopeOf({ serviceName: 'desk', framework: 'unknown', name: '' }),
);
const models = createModelCatalog();

let store: StoreApp;
let tenantId: string;
/** What the detectors of the next analysis find. */
let found: Detection[];
/** Detectors that could not look. */
let failed: Pick<AnalysisOutcome, 'crashed' | 'overran'>;

beforeEach(async () => {
  found = [];
  failed = { crashed: [], overran: [] };
  const inner = createInThreadExecutor(models);
  const run: typeof inner.run = async (input) => ({ ...(await inner.run(input)), ...failed, detections: found });
  store = await openStoreApp({ dependencies: { executor: { ...inner, run } } });
  tenantId = await store.newTenant();
  for (const number of [1, 2, 3]) await store.send(tenantId, runSpans(number));
  await store.settle();
});
afterEach(() => store.close());

function detection(overrides: Partial<Detection> = {}): Detection {
  return {
    type: 'loop',
    subtype: 'exact',
    failureModes: ['F3'],
    agent: 'planner',
    spanIds: ['s1', 's2'],
    step: 1,
    confidence: 0.6,
    isCalibrated: false,
    severity: 'warning',
    tier: 'experimental',
    method: 'rule',
    title: 'Repeated call',
    explanation: 'It went round.',
    businessImpact: 'Tokens.',
    suggestedAction: 'Stop.',
    evidence: [{ kind: 'repeated_call', spanId: 's1', path: null, quote: 'search', value: null }],
    wastedTokens: 100,
    wastedCostUsd: 0.25,
    fixes: [],
    fingerprint: 'fp-loop',
    ...overrides,
  };
}

/** One analysis a second later, which finds these. @returns the stored rows */
async function analyze(detections: Detection[], traceId = TRACE) {
  store.clock.advance(1_000);
  found = detections;
  await store.services.analysis.analyzeTrace(tenantId, traceId);
  return rows(traceId);
}

const rows = (traceId = TRACE) =>
  store.db.selectFrom('detections').selectAll().where('trace_id', '=', traceId).orderBy('detection_id').execute();
const trace = async (traceId = TRACE) =>
  store.db.selectFrom('traces').selectAll().where('trace_id', '=', traceId).executeTakeFirstOrThrow();
const announced = async () =>
  (await store.db.selectFrom('outbox').select('payload').orderBy('outbox_id').execute()).map(
    (row) => JSON.parse(row.payload) as { detection_id: string; severity: Severity; issue_id: string | null },
  );
const issues = async () =>
  (await store.services.issues.list(tenantId, ALL_ISSUES, { page: 1, pageSize: 50, cursor: null })).items;
const resolveIssues = () => store.db.updateTable('issues').set({ status: 'resolved', resolved_at: 1 }).execute();
const list = (minSeverity: Severity) =>
  store.services.detections.list(tenantId, { ...NO_FILTER, minSeverity }, { page: 1, pageSize: 50, cursor: null });
const NO_FILTER = {
  detectionType: null,
  validated: null,
  confidenceMin: null,
  confidenceMax: null,
  traceId: null,
  issueId: null,
  from: null,
  to: null,
};

describe('a detection', () => {
  it('keeps its id in every analysis and has the newest texts', async () => {
    const [first] = await analyze([detection()]);
    const [second, ...others] = await analyze([detection({ confidence: 0.7, spanIds: ['s1', 's9'], title: 'Newer' })]);
    expect(others).toEqual([]);
    expect(second).toMatchObject({ detection_id: first?.detection_id, created_at: first?.created_at, confidence: 0.7 });
    expect(await store.services.detections.get(tenantId, first?.detection_id ?? '')).toMatchObject({
      title: 'Newer',
      span_ids: ['s1', 's9'],
    });
  });

  it.each<[string, Partial<Detection>]>([
    ['type', { type: 'injection' }],
    ['subtype', { subtype: 'cyclic' }],
    ['first span', { spanIds: ['s2', 's1'] }],
  ])('is another one with another %s', async (_name, entry) => {
    const [first] = await analyze([detection()]);
    const both = await analyze([detection(entry)]);
    expect(both).toHaveLength(2);
    const old = both.find((row) => row.detection_id === first?.detection_id);
    expect(old?.withdrawn_at).toBe(store.clock.now());
  });

  it('is another one in another trace', async () => {
    const [first] = await analyze([detection()]);
    const [second] = await analyze([detection()], traceIdOf(2));
    expect(second?.detection_id).not.toBe(first?.detection_id);
    expect((await rows())[0]?.withdrawn_at).toBeNull();
  });

  it('is withdrawn when it no longer fires, and returns with the same id', async () => {
    const [first] = await analyze([detection()]);
    const [gone] = await analyze([]);
    const withdrawnAt = store.clock.now();
    expect(gone).toMatchObject({ detection_id: first?.detection_id, withdrawn_at: withdrawnAt });
    expect((await list('info')).items).toEqual([]);
    expect(await store.services.detections.ofTrace(tenantId, TRACE)).toEqual([]);
    expect(await store.services.detections.get(tenantId, gone?.detection_id ?? '')).toMatchObject({
      withdrawn_at: new Date(withdrawnAt).toISOString(),
    });
    expect((await analyze([]))[0]?.withdrawn_at).toBe(withdrawnAt);
    const [back] = await analyze([detection()]);
    expect(back).toMatchObject({ detection_id: first?.detection_id, withdrawn_at: null });
    expect(await trace()).toMatchObject({ detection_count: 1 });
  });

  it.each<[string, Partial<typeof failed>, boolean]>([
    ['crashed', { crashed: [{ type: 'loop', message: 'broken' }] }, true],
    ['was cut off', { overran: [{ type: 'loop', ms: 5_000 }] }, true],
    ['was not run', { overran: [{ type: 'loop', ms: null }] }, true],
    ['did look, though another did not', { overran: [{ type: 'injection', ms: 5_000 }] }, false],
  ])('stays while its detector %s', async (_name, troubles, stands) => {
    await analyze([detection({ severity: 'critical' })]);
    const before = await trace();
    failed = { ...failed, ...troubles };
    const [row] = await analyze([]);
    expect(row?.withdrawn_at === null).toBe(stands);
    expect((await list('info')).items).toHaveLength(stands ? 1 : 0);
    const { detection_count, max_severity, quality_score, figures } = before;
    const kept = { detection_count, max_severity, quality_score, figures };
    if (stands) expect(await trace()).toMatchObject(kept);
    else expect(await trace()).toMatchObject({ detection_count: 0, max_severity: null });
    expect(await announced()).toHaveLength(1);
    failed = { crashed: [], overran: [] };
    expect((await analyze([]))[0]?.withdrawn_at).not.toBeNull();
  });

  it('keeps its validation, also while it is withdrawn', async () => {
    await analyze([detection()]);
    const result = { validated: 1, is_valid: 0, feedback: 'meant to', validated_at: 5 };
    await store.db.updateTable('detections').set(result).execute();
    for (const detections of [[detection()], [], [detection({ confidence: 0.9 })]]) {
      expect((await analyze(detections))[0]).toMatchObject(result);
    }
  });

  it('is found by its trace in whatever case the id is written', async () => {
    await analyze([detection()]);
    expect(await store.services.detections.ofTrace(tenantId, TRACE.toUpperCase())).toHaveLength(1);
    const filter = { ...NO_FILTER, minSeverity: 'info' as const, traceId: TRACE.toUpperCase() };
    const page = await store.services.detections.list(tenantId, filter, { page: 1, pageSize: 9, cursor: null });
    expect([page.items.length, page.total]).toEqual([1, 1]);
  });

  it('is not found by another tenant', async () => {
    const [row] = await analyze([detection()]);
    const other = await store.newTenant();
    await expect(store.services.detections.get(other, row?.detection_id ?? '')).rejects.toMatchObject({
      code: 'not_found',
    });
    expect(await store.services.detections.ofTrace(other, TRACE)).toEqual([]);
  });
});

describe('an announcement', () => {
  const seen = detection();
  const weak = detection({ severity: 'observation' });
  it.each<[string, Detection[][], number]>([
    ['for what is new', [[seen]], 1],
    ['for each that is new', [[seen, detection({ subtype: 'cyclic' })]], 2],
    ['not for what was found again', [[seen], [seen], [seen]], 1],
    ['not for what is gone', [[seen], []], 1],
    ['for what came back', [[seen], [], [seen]], 2],
    ['not for what became worse', [[seen], [detection({ severity: 'critical' })]], 1],
    ['for what was an observation before', [[weak], [seen], [seen]], 2],
    ['not for what became an observation', [[seen], [weak]], 1],
  ])('goes out %s', async (_name, analyses, count) => {
    for (const detections of analyses) await analyze(detections);
    const events = await announced();
    expect(events).toHaveLength(count);
    const ids = new Set((await rows()).map((row) => row.detection_id));
    for (const event of events) expect(ids.has(event.detection_id)).toBe(true);
  });

  it('is not repeated by a re-send of the same spans', async () => {
    await analyze([detection()]);
    await store.send(tenantId, runSpans(1));
    await store.settle();
    expect(await announced()).toHaveLength(1);
    expect(await rows()).toHaveLength(1);
  });

  it('is undone together with the analysis that fails to be saved', async () => {
    const broken = { ...detection(), confidence: null } as unknown as Detection;
    await expect(analyze([detection({ subtype: 'cyclic' }), broken])).rejects.toThrow();
    expect([await announced(), await rows(), await issues()]).toEqual([[], [], []]);
  });
});

describe('an issue', () => {
  it('gathers one fault across traces', async () => {
    await analyze([detection({ agent: 'planner' })], traceIdOf(1));
    const [before] = await issues();
    await analyze([detection({ agent: 'writer', severity: 'critical' })], traceIdOf(2));
    await analyze([detection({ fingerprint: 'another' })], traceIdOf(3));
    const all = await issues();
    expect(all).toHaveLength(2);
    const issue = all.find((each) => each.fingerprint === LOOP_OF_SERVICE);
    expect(issue).toMatchObject({
      issue_id: before?.issue_id,
      count: 2,
      severity: 'critical',
      status: 'open',
      wasted_tokens: 200,
      wasted_cost_usd: 0.5,
      first_seen_at: before?.first_seen_at,
      last_seen_at: new Date(store.clock.now() - 1_000).toISOString(),
    });
    expect(issue?.affected_agents.toSorted()).toEqual(['planner', 'writer']);
  });

  it('does not count what is withdrawn', async () => {
    await analyze([detection()], traceIdOf(1));
    await analyze([detection()], traceIdOf(2));
    await analyze([], traceIdOf(1));
    expect(await issues()).toMatchObject([{ count: 1, wasted_tokens: 100 }]);
  });

  it.each<[string, Detection[][], string]>([
    ['stays resolved while nothing new comes', [[detection()]], 'resolved'],
    ['opens again when a detection comes back', [[], [detection()]], 'open'],
    ['opens again for a new detection', [[detection(), detection({ spanIds: ['s5'] })]], 'open'],
    ['stays resolved when its fault is gone', [[]], 'resolved'],
  ])('%s', async (_name, analyses, status) => {
    await analyze([detection()]);
    await resolveIssues();
    for (const detections of analyses) await analyze(detections);
    expect(await issues()).toMatchObject([{ status }]);
  });

  it('that was resolved opens again when a detection turns out to be of it', async () => {
    await analyze([detection()]);
    await resolveIssues();
    await analyze([detection({ fingerprint: 'another' })], traceIdOf(2));
    await analyze([detection()], traceIdOf(2));
    const issue = (await issues()).find((each) => each.fingerprint === LOOP_OF_SERVICE);
    expect(issue).toMatchObject({ status: 'open', count: 2 });
  });

  it('that a person resolved stays resolved when an earlier run is analyzed, and regresses with a later one', async () => {
    await analyze([detection()]);
    const [{ issue_id } = { issue_id: '' }] = await issues();
    store.clock.advance(60_000);
    await store.services.issues.change(tenantId, issue_id, { kind: 'resolve' }, 'key_1');
    await analyze([], traceIdOf(1));
    await analyze([detection()], traceIdOf(2));
    expect(await issues()).toMatchObject([{ status: 'resolved', resolved_by: 'key_1', count: 1 }]);
    store.clock.advance(60_000);
    await store.send(tenantId, runSpans(4, { startNs: BigInt(store.clock.now()) * 1_000_000n }));
    await store.settle();
    await analyze([detection()], traceIdOf(4));
    expect(await issues()).toMatchObject([
      { status: 'open', regressed_at: expect.stringMatching(/^2026-/), count: 2, run_count: 2 },
    ]);
  });

  it('that is ignored stays ignored', async () => {
    await analyze([detection()]);
    await store.db.updateTable('issues').set({ status: 'ignored' }).execute();
    await analyze([detection()], traceIdOf(2));
    expect(await issues()).toMatchObject([{ status: 'ignored', count: 2 }]);
  });

  it('has the highest severity of its detections', async () => {
    await analyze([detection()]);
    await analyze([detection({ severity: 'critical' })]);
    expect(await issues()).toMatchObject([{ severity: 'critical' }]);
  });

  it('belongs to one tenant', async () => {
    await analyze([detection()]);
    const other = await store.newTenant();
    const [issue] = await issues();
    await expect(store.services.issues.get(other, issue?.issue_id ?? '')).rejects.toMatchObject({ code: 'not_found' });
  });

  it.each([1, 2, 3, 7])('is listed once for page size %d', async (pageSize) => {
    const faults = Array.from({ length: 7 }, (_, place) =>
      detection({ fingerprint: `fp ${place}`, spanIds: [`s${place}`] }),
    );
    await analyze(faults);
    const byPage: string[] = [];
    const byCursor: string[] = [];
    let cursor: string | null = null;
    for (let page = 1; page <= Math.ceil(7 / pageSize); page += 1) {
      const paged = await store.services.issues.list(tenantId, ALL_ISSUES, { page, pageSize, cursor: null });
      byPage.push(...paged.items.map((item) => item.issue_id));
      const next: Awaited<ReturnType<typeof store.services.issues.list>> = await store.services.issues.list(
        tenantId,
        ALL_ISSUES,
        { page: 1, pageSize, cursor },
      );
      byCursor.push(...next.items.map((item) => item.issue_id));
      cursor = next.next_cursor;
    }
    expect(cursor).toBeNull();
    expect(new Set(byPage).size).toBe(7);
    expect(byCursor).toEqual(byPage);
  });
});

describe('an observation', () => {
  const weak = detection({ severity: 'observation', confidence: 0.2 });

  it('is stored, listed on request and not counted', async () => {
    const [row] = await analyze([weak]);
    expect(row).toMatchObject({ issue_id: null, withdrawn_at: null });
    expect(await issues()).toEqual([]);
    expect(await trace()).toMatchObject({ detection_count: 0, max_severity: null, quality_score: 100 });
    expect((await list('info')).items).toEqual([]);
    expect((await list('observation')).items).toHaveLength(1);
    expect(await store.services.detections.ofTrace(tenantId, TRACE)).toEqual([]);
  });

  it('gets its issue when it rises, and leaves it when it sinks', async () => {
    await analyze([weak]);
    expect((await analyze([detection()]))[0]?.issue_id).not.toBeNull();
    expect((await analyze([weak]))[0]?.issue_id).toBeNull();
    expect(await issues()).toMatchObject([{ count: 0 }]);
  });
});

describe('figures of the trace', () => {
  it.each<[string, Detection[], object]>([
    ['a clean run', [], { detection_count: 0, max_severity: null, quality_score: 100 }],
    [
      'one warning',
      [detection({ confidence: 0.5 })],
      { detection_count: 1, max_severity: 'warning', quality_score: 90 },
    ],
    [
      'the worst counts as the severity',
      [detection({ severity: 'info' }), detection({ severity: 'critical', subtype: 'cyclic', confidence: 1 })],
      { detection_count: 2, max_severity: 'critical', quality_score: 57 },
    ],
  ])('say it: %s', async (_name, detections, figures) => {
    await analyze(detections);
    expect(await trace()).toMatchObject(figures);
  });
});
