import { afterEach, beforeEach, expect, it } from 'vitest';
import { openStoreApp, type StoreApp } from '../../../test/support/store-app.ts';
import { insertAuditEntry } from '../../store/audit.store.ts';
import { claimOnce } from '../../store/drained-file.store.ts';
import { insertOperationJob } from '../../store/operation-job.store.ts';
import { pruneHistory } from './prune-history.ts';

const DAY_MS = 86_400_000;

let store: StoreApp;
beforeEach(async () => {
  store = await openStoreApp();
});
afterEach(() => store.close());

const daysAgo = (days: number) => store.clock.now() - days * DAY_MS;

async function addAudit(id: number, days: number): Promise<void> {
  await insertAuditEntry(store.db, {
    tenant_no: 1,
    audit_id: `aud_${id}`,
    at: daysAgo(days),
    actor: 'operator',
    action: 'thresholds.change',
    object_id: null,
    fields: '[]',
    digest_before: null,
    digest_after: null,
    outcome: 'done',
    request_id: null,
  });
}

async function addJob(id: string, days: number, isTimeUp: boolean): Promise<void> {
  await insertOperationJob(store.db, {
    tenant_no: 1,
    job_id: id,
    kind: 'retention',
    status: isTimeUp ? 'completed' : 'queued',
    input: '{}',
    position: '',
    looked_at: 0,
    done: 0,
    failure: null,
    lease_token: null,
    lease_owner: null,
    leased_until: 0,
    created_at: daysAgo(days),
    started_at: null,
    finished_at: isTimeUp ? daysAgo(days) : null,
    updated_at: daysAgo(days),
  });
}

it('deletes rows beyond their retention, and no open or newer ones', async () => {
  for (let id = 0; id < 250; id += 1) await addAudit(id, 366);
  await addAudit(999, 364);
  await addJob('old', 31, true);
  await addJob('new', 29, true);
  await addJob('open', 400, false);
  await claimOnce(store.db, 'old.spool', daysAgo(91));
  await claimOnce(store.db, 'new.spool', daysAgo(89));

  expect(await pruneHistory(store.db, store.clock.now())).toBe(252);
  const audit = await store.db.selectFrom('audit_log').select('audit_id').execute();
  const jobs = await store.db.selectFrom('operation_jobs').select('job_id').orderBy('job_id').execute();
  const files = await store.db.selectFrom('drained_files').select('name').execute();
  expect([audit, jobs, files]).toEqual([
    [{ audit_id: 'aud_999' }],
    [{ job_id: 'new' }, { job_id: 'open' }],
    [{ name: 'new.spool' }],
  ]);
  expect(await pruneHistory(store.db, store.clock.now())).toBe(0);
});

it('runs with retention, once a day', async () => {
  await addAudit(1, 400);
  expect(await store.services.deletion.scheduleRetentionWhenDue()).toBe(0);
  expect(await store.db.selectFrom('audit_log').select('audit_id').execute()).toEqual([]);
  expect(await store.services.deletion.scheduleRetentionWhenDue()).toBeNull();
  store.clock.advance(DAY_MS);
  expect(await store.services.deletion.scheduleRetentionWhenDue()).toBe(0);
});

it('does not run while a clock that stepped forwards may be wrong', async () => {
  await store.services.clockWatch.tick();
  await addAudit(1, 300);
  store.clock.advance(365 * DAY_MS);
  expect(await store.services.deletion.scheduleRetentionWhenDue()).toBeNull();
  store.clock.advance(-365 * DAY_MS);
  await store.services.clockWatch.tick();
  expect(await store.services.deletion.scheduleRetentionWhenDue()).toBe(0);
  expect(await store.db.selectFrom('audit_log').select('audit_id').execute()).toHaveLength(1);
});
