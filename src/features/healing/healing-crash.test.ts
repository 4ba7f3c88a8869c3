import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fileExecutor, type KillTime } from '../../../test/support/healing-crash-process.ts';
import { storeDetection } from '../../../test/support/stored-detection.ts';
import { DEFAULT_CONFIG } from '../../app/config.ts';
import { type App, openApp } from '../../app/open-app.ts';

const NOW = Date.UTC(2026, 0, 15, 12);
const CHILD = resolve(import.meta.dirname, '../../../test/support/healing-crash-process.ts');
const BEFORE = '{"limit": 24}\n';
const AFTER = '{"limit": 6}\n';
const OPERATOR = { tenantId: null, keyId: null, scopes: [], isOperator: true };

let dataFolder: string;
let root: string;
let app: App;
let tenantId: string;
beforeEach(async () => {
  dataFolder = mkdtempSync(join(tmpdir(), 'misstep-heal-'));
  root = mkdtempSync(join(tmpdir(), 'misstep-root-'));
  writeFileSync(join(root, 'planner.json'), BEFORE);
  await open();
  tenantId = (await app.services.tenants.create({ name: 'tenant' })).tenant_id;
  await storeDetection(app.store.db, tenantId, 'det_one');
});
afterEach(async () => {
  await app.close();
  for (const folder of [dataFolder, root]) rmSync(folder, { recursive: true, force: true });
});

async function open(): Promise<void> {
  const dependencies = { clock: { now: () => NOW }, healingExecutors: [fileExecutor(root, null)] };
  app = await openApp({ ...DEFAULT_CONFIG, dataFolder }, dependencies);
}

const text = () => readFileSync(join(root, 'planner.json'), 'utf8');

async function approved(): Promise<string> {
  const after = '[{"op":"replace","path":"/limit","value":6}]';
  const { operation_id: id } = await app.services.healing.create(
    tenantId,
    {
      detectionId: 'det_one',
      fixId: null,
      executor: 'killed_file',
      target: { path: 'planner.json' },
      changes: [{ target: '', format: 'json-patch', before: null, after }],
    },
    OPERATOR,
  );
  await app.services.healing.approve(tenantId, id, null, OPERATOR);
  return id;
}

/** Another process takes the step and is killed at that moment. */
function killedAt(moment: KillTime, id: string, step: 'execute' | 'rollback'): void {
  const { signal, stderr } = spawnSync(process.execPath, [
    CHILD,
    dataFolder,
    root,
    tenantId,
    id,
    step,
    moment,
    String(NOW),
  ]);
  expect({ signal, stderr: String(stderr) }).toEqual({ signal: 'SIGKILL', stderr: '' });
}

describe('a process that is killed while it executes', { timeout: 120_000 }, () => {
  it.each<[KillTime, string, 'before' | 'after', 'failed' | 'applied']>([
    ['before the write', BEFORE, 'before', 'failed'],
    ['after the write', AFTER, 'after', 'applied'],
  ])('%s leaves the operation unknown until it is checked', async (moment, content, found, outcome) => {
    const { healing } = app.services;
    const id = await approved();
    killedAt(moment, id, 'execute');
    expect(text()).toBe(content);
    expect(await healing.get(tenantId, id)).toMatchObject({
      status: 'unknown',
      action: 'apply',
      applied_at: null,
      error: expect.stringContaining('check the current content'),
    });
    await expect(healing.execute(tenantId, id)).rejects.toMatchObject({ code: 'invalid_transition' });
    expect(await healing.check(tenantId, id)).toMatchObject({ status: 'unknown', verification: { found } });
    expect(await healing.resolve(tenantId, id, outcome, null)).toMatchObject({ status: outcome });
    const entries = await app.services.audit.list(
      tenantId,
      { action: 'healing.interrupted', actor: 'job', objectId: id, from: null, to: null },
      { page: 1, pageSize: 10, cursor: null },
    );
    expect(entries.total).toBe(1);
  });

  it('and rolls back: the same, and the rollback can be finished', async () => {
    const { healing } = app.services;
    const id = await approved();
    await healing.execute(tenantId, id);
    killedAt('before the write', id, 'rollback');
    expect(await healing.get(tenantId, id)).toMatchObject({ status: 'unknown', action: 'rollback' });
    await healing.resolve(tenantId, id, 'applied', null);
    expect(await healing.rollback(tenantId, id)).toMatchObject({ status: 'rolled_back' });
    expect(text()).toBe(BEFORE);
  });

  it('is noticed at the next start', async () => {
    const id = await approved();
    await app.close();
    killedAt('after the write', id, 'execute');
    await open();
    expect(await app.services.healing.settleInterrupted()).toBe(1);
    expect(await app.services.healing.settleInterrupted()).toBe(0);
    expect((await app.services.healing.get(tenantId, id)).status).toBe('unknown');
  });
});
