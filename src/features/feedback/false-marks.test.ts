import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ALL_ISSUES, onlyIssues } from '../../../test/support/all-issues.ts';
import { openStoreApp, runSpans, type StoreApp, traceIdOf } from '../../../test/support/store-app.ts';
import { makeDetection } from '../../../test/support/stored-detection.ts';
import type { Detection } from '../../core/detection.ts';
import { createModelCatalog } from '../../formats/model-catalog/catalog.ts';
import { createInThreadExecutor } from '../analysis/executor.ts';

const TRACE = traceIdOf(1);
const OPERATOR = { tenantId: null, keyId: null, scopes: [], isOperator: true };
const LOOP = makeDetection({ severity: 'critical', confidence: 0.5, wastedTokens: 100, wastedCostUsd: 0.25 });
const OTHER = makeDetection({ type: 'injection', subtype: 'direct', confidence: 0.5, fingerprint: 'fp-injection' });
const SEEN = makeDetection({
  type: 'derailment',
  subtype: 'off_task',
  severity: 'observation',
  fingerprint: 'fp-seen',
});
const isLoop = ({ detection_type }: { detection_type: string }) => detection_type === 'loop';

let store: StoreApp;
let tenantId: string;
let found: Detection[];
beforeEach(async () => {
  found = [LOOP, OTHER, SEEN];
  const inner = createInThreadExecutor(createModelCatalog());
  const run: typeof inner.run = async (input) => ({ ...(await inner.run(input)), detections: found });
  store = await openStoreApp({ dependencies: { executor: { ...inner, run } } });
  tenantId = await store.newTenant();
  await store.send(tenantId, runSpans(1));
  await store.settle();
});
afterEach(() => store.close());

async function idOf(type = 'loop'): Promise<string> {
  const row = await store.db
    .selectFrom('detections')
    .select('detection_id')
    .where('detection_type', '=', type)
    .executeTakeFirstOrThrow();
  return row.detection_id;
}

async function validate(isValid: boolean, type?: string): Promise<void> {
  store.clock.advance(1_000);
  const word = { detectionId: await idOf(type), isValid, comment: null };
  await store.services.feedback.validate(tenantId, word, OPERATOR);
}

async function submit(type: 'true_positive' | 'false_positive' | 'true_negative', of?: string): Promise<void> {
  store.clock.advance(1_000);
  await store.services.feedback.submit(tenantId, { detectionId: await idOf(of), type, comment: null }, OPERATOR);
}

async function withdrawAll(): Promise<void> {
  const filter = { detectionId: null, detectionType: null, feedbackType: null };
  const { items } = await store.services.feedback.list(tenantId, filter, page);
  for (const { feedback_id } of items) await store.services.feedback.withdraw(tenantId, feedback_id);
}

async function analyze(detections: Detection[]): Promise<void> {
  store.clock.advance(1_000);
  found = detections;
  await store.services.analysis.analyzeTrace(tenantId, TRACE);
}

const page = { page: 1, pageSize: 50, cursor: null };
const loopIssue = async () => {
  const { items } = await store.services.issues.list(tenantId, ALL_ISSUES, page);
  return items.find(isLoop);
};

/** Everything that a counted detection shows up in. */
async function counts() {
  const trace = (await (await store.services.traces.get(tenantId, TRACE)).value()) as Record<string, unknown>;
  const { detection_count, max_severity, quality_score, grade } = trace;
  const quality = await store.services.analytics.quality(tenantId, 30);
  const loops = await store.services.analytics.loops(tenantId, 30);
  const { tenant_no } = await store.db.selectFrom('tenants').select('tenant_no').executeTakeFirstOrThrow();
  const workflow = await store.db
    .selectFrom('workflows')
    .select(['scored_count', 'score_tenths'])
    .where('tenant_no', '=', tenant_no)
    .executeTakeFirstOrThrow();
  const issue = await loopIssue();
  return {
    trace: [detection_count, max_severity, quality_score, grade],
    average: quality.average,
    top: quality.top_detections.map(({ detection_type, count }) => [detection_type, count]),
    loops: [loops.total, loops.wasted_tokens, loops.wasted_cost_usd, loops.affected_agents.length],
    workflow: workflow.score_tenths,
    issue: issue && [issue.status, issue.count, issue.wasted_tokens, issue.wasted_cost_usd],
  };
}

const COUNTED = {
  trace: [2, 'critical', 70, 'C'],
  average: 70,
  top: [
    ['injection', 1],
    ['loop', 1],
  ],
  loops: [1, 100, 0.25, 1],
  workflow: 700,
  issue: ['open', 1, 100, 0.25],
};
const MARKED = {
  trace: [1, 'warning', 90, 'A'],
  average: 90,
  top: [['injection', 1]],
  loops: [0, 0, 0, 0],
  workflow: 900,
  issue: ['resolved', 0, 0, 0],
};

describe('a detection that is marked as false', () => {
  it.each<[string, () => Promise<void>, () => Promise<void>]>([
    ['by a validation', () => validate(false), () => validate(true)],
    ['by feedback', () => submit('false_positive'), () => submit('true_positive')],
    ['by feedback, which is withdrawn', () => submit('false_positive'), withdrawAll],
    ['by a validation, taken back by feedback', () => validate(false), () => submit('true_positive')],
  ])('%s counts nowhere, until the mark is removed', async (_name, mark, undoMark) => {
    expect(await counts()).toEqual(COUNTED);
    await mark();
    expect(await counts()).toEqual(MARKED);
    await mark();
    expect(await counts()).toEqual(MARKED);
    await undoMark();
    expect(await counts()).toEqual(COUNTED);
  });

  it('keeps its mark when its trace is analyzed again, also by a rebuild of the figures', async () => {
    await validate(false);
    await analyze([LOOP, OTHER, SEEN]);
    expect(await counts()).toEqual(MARKED);
    await store.db.updateTable('traces').set({ figures: null, figures_day: null, workflow_id: null }).execute();
    await store.db.deleteFrom('daily_figures').execute();
    await store.db.deleteFrom('workflows').execute();
    await store.services.analytics.rebuild(tenantId);
    expect(await counts()).toEqual(MARKED);
    await validate(true);
    expect(await counts()).toEqual(COUNTED);
  });

  it('is not counted and not alerted when it is withdrawn and fires again', async () => {
    const announced = () => store.db.selectFrom('outbox').selectAll().execute();
    await validate(false);
    const before = (await announced()).length;
    await analyze([OTHER, SEEN]);
    await analyze([{ ...LOOP, fingerprint: 'fp-other' }, OTHER, SEEN]);
    expect(await counts()).toMatchObject({ trace: MARKED.trace, loops: MARKED.loops, top: MARKED.top });
    expect(await announced()).toHaveLength(before);
    expect((await store.services.issues.list(tenantId, onlyIssues({ status: 'open' }), page)).items).toMatchObject([
      { detection_type: 'injection' },
    ]);
  });

  it('changes nothing while it is withdrawn, and counts again when it fires without the mark', async () => {
    await analyze([OTHER, SEEN]);
    expect(await counts()).toEqual(MARKED);
    await validate(false);
    await validate(true);
    expect(await counts()).toEqual(MARKED);
    await analyze([LOOP, OTHER, SEEN]);
    expect(await counts()).toEqual(COUNTED);
  });

  it('is still not counted when what it was marked on was an observation', async () => {
    await submit('true_negative', 'derailment');
    expect(await counts()).toEqual(COUNTED);
    await analyze([LOOP, OTHER, { ...SEEN, severity: 'warning' }]);
    expect(await counts()).toEqual(COUNTED);
  });

  it('changes the score of a trace that got spans since, by what its last analysis knew', async () => {
    await store.send(tenantId, runSpans(1).slice(0, 1));
    await validate(false);
    expect(await counts()).toMatchObject({ trace: MARKED.trace, average: 90 });
    await store.settle();
    expect(await counts()).toEqual(MARKED);
  });

  it('leaves an issue open that another trace has too, with the rest of its count', async () => {
    await store.send(tenantId, runSpans(2));
    await store.settle();
    expect(await loopIssue()).toMatchObject({ count: 2, wasted_tokens: 200 });
    await validate(false);
    expect(await loopIssue()).toMatchObject({ status: 'open', count: 1, wasted_tokens: 100 });
  });

  it('leaves a resolved issue resolved when it is confirmed without a mark before', async () => {
    await store.db.updateTable('issues').set({ status: 'resolved', resolved_at: 1 }).execute();
    await validate(true);
    expect(await loopIssue()).toMatchObject({ status: 'resolved' });
  });
});
