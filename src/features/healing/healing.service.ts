import type { Kysely } from 'kysely';
import { AppError } from '../../core/app-error.ts';
import { type Clock, toRfc3339 } from '../../core/clock.ts';
import { newId, type Random } from '../../core/id.ts';
import type { Json } from '../../core/json.ts';
import type { Redactor } from '../../formats/redaction/redactor.ts';
import type { AnyExecutor } from '../../platforms/healing/executor.ts';
import type { Db } from '../../store/connection.ts';
import {
  countAutomatic,
  countHealingOperations,
  type HealingFilter,
  insertHealingOperation,
  listHealingOperations,
  moveHealingOperation,
  readHealingOperation,
} from '../../store/healing.store.ts';
import type { HealingOperationTable } from '../../store/healing-tables.ts';
import type { Database } from '../../store/schema.ts';
import { readSetting, writeSetting } from '../../store/setting.store.ts';
import { inTransaction } from '../../store/transaction.ts';
import type { Caller } from '../_kit/caller.ts';
import { callerName } from '../_kit/caller-name.ts';
import { toPage, toRange } from '../_kit/cursor.ts';
import type { Page, PageRequest } from '../_kit/page.ts';
import { digestOf, noteAudit } from '../audit/audit-note.ts';
import type { RecordApplied } from '../detections/fix.service.ts';
import type { SecretBox } from '../integrations/secret-box.ts';
import { type CarriedOut, carryOut, type Found, look, type Place } from './carry-out.ts';
import { BY_HAND, createExecutors } from './executors.ts';
import { type HealingRecord, type HealingSummary, toHealingRecord, toHealingSummary } from './healing.record.ts';
import {
  changePolicy,
  goesAheadAlone,
  type HealingPolicy,
  type HealingPolicyChange,
  type Proposal,
  readPolicy,
} from './healing-policy.ts';
import {
  type HealingAction,
  type HealingStatus,
  type HealingStep,
  type Resolution,
  resolved,
  statusAtEnd,
  stepFrom,
} from './healing-state.ts';
import { createInterruption } from './interrupted.ts';
import { isProcessAlive, LEASE_MS, thisProcess } from './lease.ts';
import { newOperation } from './new-operation.ts';
import { endedAs, markFix } from './operation-end.ts';
import { type HealingRequest, type PlannedOperation, propose } from './propose.ts';

/** Unknown operations are `not_found`, steps that their state does not allow `invalid_transition`. */
export interface HealingService {
  policy(tenantId: string): Promise<HealingPolicy>;
  changePolicy(tenantId: string, change: HealingPolicyChange): Promise<HealingPolicy>;
  /** Plans it; where the policy lets it go ahead alone it is executed at once. @throws AppError as `propose` */
  create(tenantId: string, request: HealingRequest, caller: Caller): Promise<HealingRecord>;
  list(tenantId: string, filter: Omit<HealingFilter, 'wasApplied'>, page: PageRequest): Promise<Page<HealingSummary>>;
  /** What was ever applied, last first. */
  history(tenantId: string, page: PageRequest): Promise<Page<HealingSummary>>;
  get(tenantId: string, operationId: string): Promise<HealingRecord>;
  approve(tenantId: string, operationId: string, note: string | null, caller: Caller): Promise<HealingRecord>;
  reject(tenantId: string, operationId: string, note: string | null): Promise<HealingRecord>;
  /**
   * Done when it returns; by hand, begun. A change that had no effect makes the operation `failed`.
   * @throws AppError `conflict` where something else stands at the target than planned: nothing was changed then
   */
  execute(tenantId: string, operationId: string): Promise<HealingRecord>;
  /** Puts back what stood there. @throws AppError as `execute` */
  rollback(tenantId: string, operationId: string): Promise<HealingRecord>;
  /** Looks what stands at the target. @throws AppError `conflict` where it is done by hand */
  check(tenantId: string, operationId: string): Promise<HealingRecord>;
  /** What a person found out about one that is done by hand, or whose outcome is unknown. */
  resolve(tenantId: string, operationId: string, resolution: Resolution, note: string | null): Promise<HealingRecord>;
  /** Fixes that are recorded as applied stand in the history too. */
  recordApplied: RecordApplied;
  /** Operations whose process is gone become `unknown`. @returns how many */
  settleInterrupted(): Promise<number>;
}

const POLICY = 'healing';

export function createHealingService(options: {
  db: Kysely<Database>;
  clock: Clock;
  random: Random;
  tenantNoOf(tenantId: string): Promise<number>;
  /** What can change something; their names are what `executor` takes. */
  executors: readonly AnyExecutor[];
  /** Seals targets that hold secrets. */
  box: SecretBox;
  /** For what people and platforms write. Contents of a target stay as they are: a rollback puts them back. */
  redactor: Pick<Redactor, 'redactText' | 'redactJson'>;
  isAlive?(pid: number): boolean;
  /** Called after the commit. */
  onChanged?(row: HealingOperationTable, how?: { isNew?: boolean }): void;
}): HealingService {
  const { db, clock, random, tenantNoOf, isAlive = isProcessAlive, onChanged = () => {} } = options;
  const { redactText, redactJson } = options.redactor;
  const executors = createExecutors(options.executors, options.box);
  const me = thisProcess(newId('proc', clock, random));

  const settleInterrupted = createInterruption({ db, clock, random, me, isAlive, onChanged });

  const toSummary = (row: HealingOperationTable) => toHealingSummary(row, executors.show(row));
  const toRecord = (row: HealingOperationTable) => toHealingRecord(row, executors.show(row));

  /** One step of a person: read, checked and written under the write lock, so that of two at once one is refused. */
  async function step(
    tenantId: string,
    operationId: string,
    name: HealingStep,
    change: (row: HealingOperationTable, next: HealingStatus) => Partial<HealingOperationTable>,
    also: (transaction: Db, after: HealingOperationTable) => Promise<void> = async () => {},
  ): Promise<HealingOperationTable> {
    await settleInterrupted();
    const tenantNo = await tenantNoOf(tenantId);
    noteAudit({ objectId: operationId });
    const changed = await inTransaction(db, async (transaction) => {
      const row = await known(transaction, tenantNo, operationId);
      const next = stepFrom(name, row.status as HealingStatus);
      const values = { status: next, updated_at: clock.now(), ...change(row, next) };
      await moveHealingOperation(transaction, row, values);
      const after = { ...row, ...values };
      await also(transaction, after);
      return after;
    });
    onChanged(changed);
    return changed;
  }

  async function begin(tenantId: string, operationId: string, action: HealingAction): Promise<HealingRecord> {
    const row = await step(tenantId, operationId, action === 'apply' ? 'execute' : 'rollback', (before) => {
      const isByHand = executors.of(before) === null;
      const now = clock.now();
      const lease = {
        lease_token: newId('lease', clock, random),
        lease_holder: JSON.stringify(me),
        leased_until: now + LEASE_MS,
      };
      return { action, error: null, started_at: now, ...(isByHand ? {} : lease) };
    });
    const place = placeOf(tenantId, row);
    if (place === null) return toRecord(row);
    return finish(row, await carryOut(place, action === 'apply' ? 'after' : 'before'));
  }

  function placeOf(tenantId: string, row: HealingOperationTable): Place | null {
    const executor = executors.of(row);
    if (executor === null) return null;
    const scope = { tenantId, tenantNo: row.tenant_no };
    const target = executors.targetOf(row);
    return { executor, scope, target, before: row.content_before!, after: row.content_after! };
  }

  async function finish(row: HealingOperationTable, result: CarriedOut): Promise<HealingRecord> {
    const action = row.action as HealingAction;
    const status = statusAtEnd(action, result.outcome);
    noteDigests(action === 'apply' ? row.content_before : row.content_after, result.content);
    const values = {
      ...endedAs(status, action, clock.now()),
      error: result.problem === null ? null : redactText(result.problem.message),
      ...(result.found === null ? {} : { verification: seen(result.found) }),
      // A platform may spell what it keeps in its own way: a rollback begins from that.
      ...(status === 'applied' && action === 'apply' ? { content_after: result.content } : {}),
    };
    const after = await inTransaction(db, async (transaction) => {
      const isMine = await moveHealingOperation(transaction, row, values);
      if (!isMine) return known(transaction, row.tenant_no, row.operation_id);
      await markFix(transaction, { ...row, ...values }, clock.now());
      return { ...row, ...values };
    });
    onChanged(after);
    if (result.outcome === 'undone' && result.problem !== null) throw result.problem;
    return toRecord(after);
  }

  const seen = (found: Found) => JSON.stringify({ checked_at: toRfc3339(clock.now()), found });

  function newRow(tenantNo: number, planned: PlannedOperation, by: string | null): HealingOperationTable {
    const operationId = newId('op', clock, random);
    const row = newOperation(planned, { tenantNo, operationId, by, now: clock.now() });
    const target = row.executor === BY_HAND ? redactedJson(row.target) : row.target;
    return { ...row, target: executors.seal({ ...row, target }), changes: redactedJson(row.changes) };
  }

  function redactedJson(text: string): string {
    return JSON.stringify(redactJson(JSON.parse(text) as Json));
  }

  const redactedOrNull = (note: string | null) => (note === null ? null : redactText(note));

  async function insert(row: HealingOperationTable, proposal: Proposal): Promise<HealingOperationTable> {
    const inserted = await inTransaction(db, async (transaction) => {
      const policy = readPolicy(await readSetting(transaction, row.tenant_no, POLICY));
      const today = await countAutomatic(transaction, row.tenant_no, midnight(clock.now()));
      const isAuto = goesAheadAlone(policy, proposal, today);
      const decided = isAuto ? { policy: 'auto', status: 'approved', approvals: approval('policy', null, []) } : {};
      await insertHealingOperation(transaction, { ...row, ...decided });
      return { ...row, ...decided };
    });
    onChanged(inserted, { isNew: true });
    return inserted;
  }

  function approval(by: string | null, note: string | null, before: readonly unknown[]): string {
    return JSON.stringify([...before, { by, at: toRfc3339(clock.now()), note: redactedOrNull(note) }]);
  }

  async function page(tenantId: string, filter: HealingFilter, request: PageRequest): Promise<Page<HealingSummary>> {
    await settleInterrupted();
    const tenantNo = await tenantNoOf(tenantId);
    const rows = await listHealingOperations(db, tenantNo, filter, toRange(request));
    const at = (row: HealingOperationTable) => (filter.wasApplied ? (row.applied_at ?? 0) : row.created_at);
    return toPage(rows, await countHealingOperations(db, tenantNo, filter), request, {
      toItem: toSummary,
      positionOf: (row) => ({ at: at(row), id: row.operation_id }),
    });
  }

  return {
    policy: async (tenantId) => readPolicy(await readSetting(db, await tenantNoOf(tenantId), POLICY)),
    async changePolicy(tenantId, change) {
      const tenantNo = await tenantNoOf(tenantId);
      return inTransaction(db, async (transaction) => {
        const after = changePolicy(readPolicy(await readSetting(transaction, tenantNo, POLICY)), change);
        await writeSetting(transaction, tenantNo, POLICY, { ...after, fix_types: { ...after.fix_types } }, clock.now());
        return after;
      });
    },
    async create(tenantId, request, caller) {
      const tenantNo = await tenantNoOf(tenantId);
      const { planned, proposal } = await propose(db, executors, { tenantId, tenantNo }, request);
      const row = await insert(newRow(tenantNo, planned, callerName(caller)), proposal);
      noteAudit({ objectId: row.operation_id });
      if (row.status === 'pending_approval') return toRecord(row);
      // It is made whatever comes of its execution: what went wrong stands in the operation.
      return begin(tenantId, row.operation_id, 'apply').catch(async (error) => {
        if (!(error instanceof AppError)) throw error;
        return toRecord(await known(db, tenantNo, row.operation_id));
      });
    },
    list: (tenantId, filter, request) => page(tenantId, { ...filter, wasApplied: false }, request),
    history: (tenantId, request) =>
      page(tenantId, { status: null, fixType: null, detectionId: null, wasApplied: true }, request),
    async get(tenantId, operationId) {
      await settleInterrupted();
      return toRecord(await known(db, await tenantNoOf(tenantId), operationId));
    },
    async approve(tenantId, operationId, note, caller) {
      const approve = (row: HealingOperationTable) => ({
        approvals: approval(callerName(caller), note, JSON.parse(row.approvals) as unknown[]),
      });
      return toRecord(await step(tenantId, operationId, 'approve', approve));
    },
    reject: async (tenantId, operationId, note) =>
      toRecord(await step(tenantId, operationId, 'reject', () => ({ note: redactedOrNull(note) }))),
    execute: (tenantId, operationId) => begin(tenantId, operationId, 'apply'),
    rollback: (tenantId, operationId) => begin(tenantId, operationId, 'rollback'),
    async check(tenantId, operationId) {
      await settleInterrupted();
      const row = await known(db, await tenantNoOf(tenantId), operationId);
      stepFrom('check', row.status as HealingStatus);
      const place = placeOf(tenantId, row);
      if (place === null) throw new AppError('conflict', 'It is done by hand: nobody but a person can look.');
      const { found } = await look(place);
      return toRecord(await step(tenantId, operationId, 'check', () => ({ verification: seen(found) })));
    },
    async resolve(tenantId, operationId, resolution, note) {
      const row = await step(
        tenantId,
        operationId,
        'resolve',
        (before) => {
          if (before.lease_token !== null)
            throw new AppError('invalid_transition', 'It is being executed: its outcome is not for people to say.');
          const action = before.action as HealingAction;
          const ended = endedAs(resolved(action, resolution), action, clock.now());
          return { ...ended, error: null, note: redactedOrNull(note) };
        },
        (transaction, after) => markFix(transaction, after, clock.now()),
      );
      return toRecord(row);
    },
    async recordApplied(transaction, { tenantNo, detection, fix, appliedAtMs }) {
      const planned: PlannedOperation = {
        detection_id: detection.detection_id,
        fix_id: fix.fix_id,
        fix_type: fix.fix_type,
        title: fix.title,
        risk: fix.risk,
        executor: BY_HAND,
        target: '{}',
        changes: JSON.stringify(fix.changes),
        content_before: null,
        content_after: null,
      };
      const times = { started_at: appliedAtMs, applied_at: appliedAtMs };
      await insertHealingOperation(transaction, {
        ...newRow(tenantNo, planned, fix.applied_by),
        ...times,
        status: 'applied',
        action: 'apply',
      });
    },
    settleInterrupted,
  };
}

async function known(db: Db, tenantNo: number, operationId: string): Promise<HealingOperationTable> {
  const row = await readHealingOperation(db, tenantNo, operationId);
  if (row === null) throw new AppError('not_found', `There is no healing operation ${operationId}.`);
  return row;
}

function noteDigests(before: string | null, after: string | null): void {
  noteAudit({
    digestBefore: before === null ? null : digestOf(before),
    digestAfter: after === null ? null : digestOf(after),
  });
}

const DAY_MS = 86_400_000;

function midnight(now: number): number {
  return Math.floor(now / DAY_MS) * DAY_MS;
}
