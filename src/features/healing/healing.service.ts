import type { Kysely } from 'kysely';
import { AppError } from '../../core/app-error.ts';
import { type Clock, toRfc3339 } from '../../core/clock.ts';
import { newId, type Random } from '../../core/id.ts';
import type { Json } from '../../core/json.ts';
import type { Redactor } from '../../formats/redaction/redactor.ts';
import type { AnyExecutor } from '../../platforms/healing/executor.ts';
import {
  countAutomatic,
  countHealingOperations,
  type HealingFilter,
  insertHealingOperation,
  listHealingOperations,
} from '../../store/healing.store.ts';
import type { HealingOperationTable } from '../../store/healing-tables.ts';
import type { Database } from '../../store/schema.ts';
import { readSetting, writeSetting } from '../../store/setting.store.ts';
import { inTransaction } from '../../store/transaction.ts';
import type { Caller } from '../_kit/caller.ts';
import { callerName } from '../_kit/caller-name.ts';
import { toPage, toRange } from '../_kit/cursor.ts';
import type { Page, PageRequest } from '../_kit/page.ts';
import { addAuditDetails } from '../audit/audit-details.ts';
import type { RecordApplied } from '../detections/fix.service.ts';
import type { Cipher } from '../integrations/cipher.ts';
import { readFixedIssues } from '../issues/fix-outcome.ts';
import { createExecutors, type Executors, MANUAL } from './executors.ts';
import { type HealingRecord, type HealingSummary, toHealingRecord, toHealingSummary } from './healing.record.ts';
import {
  changePolicy,
  type HealingPolicy,
  type HealingPolicyChange,
  needsNoApproval,
  type Proposal,
  readPolicy,
} from './healing-policy.ts';
import { type HealingAction, type Resolution, resolved } from './healing-state.ts';
import { createInterruption } from './interrupted.ts';
import { isProcessAlive, thisProcess } from './lease.ts';
import { newOperation } from './new-operation.ts';
import { endedAs, markFix } from './operation-end.ts';
import { OperationRun } from './operation-run.ts';
import { loadOperation, OperationSteps } from './operation-steps.ts';
import { type HealingRequest, type PlannedOperation, propose } from './propose.ts';

const POLICY = 'healing';
const ALL: HealingFilter = {
  status: null,
  fixType: null,
  detectionId: null,
  issueId: null,
  waiting: null,
  wasApplied: false,
};

export interface HealingServiceOptions {
  db: Kysely<Database>;
  clock: Clock;
  random: Random;
  tenantNoOf(tenantId: string): Promise<number>;
  /** All executors; their names are the values of `executor`. */
  executors: readonly AnyExecutor[];
  /** Seals targets that hold secrets. */
  cipher: Cipher;
  /** Redacts texts of people and platforms. Contents of a target stay as they are: a rollback restores them. */
  redactor: Pick<Redactor, 'redactText' | 'redactJson'>;
  isAlive?(pid: number): boolean;
  /** Called after the commit. */
  onChanged?(row: HealingOperationTable, how?: { isNew?: boolean }): void;
}

/** Unknown operations are `not_found`, steps that their state does not allow `invalid_transition`. */
export class HealingService {
  readonly #db: Kysely<Database>;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #tenantNoOf: (tenantId: string) => Promise<number>;
  readonly #redactor: Pick<Redactor, 'redactText' | 'redactJson'>;
  readonly #executors: Executors;
  readonly #onChanged: NonNullable<HealingServiceOptions['onChanged']>;
  readonly #steps: OperationSteps;
  readonly #run: OperationRun;
  readonly #settleInterrupted: () => Promise<number>;

  constructor(options: HealingServiceOptions) {
    const { db, clock, random, isAlive = isProcessAlive, onChanged = () => {} } = options;
    this.#db = db;
    this.#clock = clock;
    this.#random = random;
    this.#tenantNoOf = options.tenantNoOf;
    this.#redactor = options.redactor;
    this.#executors = createExecutors(options.executors, options.cipher);
    this.#onChanged = onChanged;
    const self = thisProcess(newId('proc', clock, random));
    this.#settleInterrupted = createInterruption({ db, clock, random, thisProcess: self, isAlive, onChanged });
    const parts = { db, clock, random, tenantNoOf: options.tenantNoOf, onChanged };
    this.#steps = new OperationSteps({ ...parts, settleInterrupted: this.#settleInterrupted });
    const { redactText } = options.redactor;
    this.#run = new OperationRun({
      ...parts,
      steps: this.#steps,
      executors: this.#executors,
      thisProcess: self,
      redactText,
    });
  }

  async policy(tenantId: string): Promise<HealingPolicy> {
    return readPolicy(await readSetting(this.#db, await this.#tenantNoOf(tenantId), POLICY));
  }

  async changePolicy(tenantId: string, change: HealingPolicyChange): Promise<HealingPolicy> {
    const tenantNo = await this.#tenantNoOf(tenantId);
    return inTransaction(this.#db, async (transaction) => {
      const after = changePolicy(readPolicy(await readSetting(transaction, tenantNo, POLICY)), change);
      const stored = { ...after, fix_types: { ...after.fix_types } };
      await writeSetting(transaction, tenantNo, POLICY, stored, this.#clock.now());
      return after;
    });
  }

  /** Plans an operation, and executes it at once if the policy allows that without a person. @throws AppError as `propose` */
  async create(tenantId: string, request: HealingRequest, caller: Caller): Promise<HealingRecord> {
    const tenantNo = await this.#tenantNoOf(tenantId);
    const { planned, proposal } = await propose(this.#db, this.#executors, { tenantId, tenantNo }, request);
    const row = await this.#insert(this.#newRow(tenantNo, planned, callerName(caller)), proposal);
    addAuditDetails({ objectId: row.operation_id });
    if (row.status === 'pending_approval') return this.#toRecord(row);
    // The operation exists whatever its execution does: a failure is recorded in it.
    return this.execute(tenantId, row.operation_id).catch(async (error) => {
      if (!(error instanceof AppError)) throw error;
      return this.#toRecord(await loadOperation(this.#db, tenantNo, row.operation_id));
    });
  }

  list(
    tenantId: string,
    filter: Omit<HealingFilter, 'wasApplied' | 'waiting'> & { isWaiting: boolean | null },
    request: PageRequest,
  ): Promise<Page<HealingSummary>> {
    const { isWaiting, ...others } = filter;
    const waiting = isWaiting === null ? null : { is: isWaiting, at: this.#clock.now() };
    return this.#page(tenantId, { ...others, waiting, wasApplied: false }, request);
  }

  /** Operations that were ever applied, newest first. */
  history(tenantId: string, request: PageRequest): Promise<Page<HealingSummary>> {
    return this.#page(tenantId, { ...ALL, wasApplied: true }, request);
  }

  async get(tenantId: string, operationId: string): Promise<HealingRecord> {
    return this.#toRecord(await this.#steps.load(tenantId, operationId));
  }

  async approve(tenantId: string, operationId: string, note: string | null, caller: Caller): Promise<HealingRecord> {
    const approve = (row: HealingOperationTable) => ({
      approvals: this.#approval(callerName(caller), note, JSON.parse(row.approvals) as unknown[]),
    });
    return this.#toRecord(await this.#steps.perform(tenantId, operationId, 'approve', approve));
  }

  async reject(tenantId: string, operationId: string, note: string | null): Promise<HealingRecord> {
    const reject = () => ({ note: this.#redactedOrNull(note) });
    return this.#toRecord(await this.#steps.perform(tenantId, operationId, 'reject', reject));
  }

  /**
   * The change is complete when this returns; a manual operation has only started. A change without effect makes the
   * operation `failed`. @throws AppError `conflict` if the target has another content than planned; nothing was changed
   */
  async execute(tenantId: string, operationId: string): Promise<HealingRecord> {
    return this.#toRecord(await this.#run.begin(tenantId, operationId, 'apply'));
  }

  /** Restores the content from before the operation. @throws AppError as `execute` */
  async rollback(tenantId: string, operationId: string): Promise<HealingRecord> {
    return this.#toRecord(await this.#run.begin(tenantId, operationId, 'rollback'));
  }

  /** Reads the content of the target. @throws AppError `conflict` for a manual operation */
  async check(tenantId: string, operationId: string): Promise<HealingRecord> {
    return this.#toRecord(await this.#run.check(tenantId, operationId));
  }

  /** Records the outcome that a person found, for a manual operation or one with an unknown outcome. */
  async resolve(
    tenantId: string,
    operationId: string,
    resolution: Resolution,
    note: string | null,
  ): Promise<HealingRecord> {
    const row = await this.#steps.perform(
      tenantId,
      operationId,
      'resolve',
      (before) => {
        if (before.lease_token !== null)
          throw new AppError('invalid_transition', 'The operation is still executing; its outcome cannot be set.');
        const action = before.action as HealingAction;
        const ended = endedAs(resolved(action, resolution), action, this.#clock.now());
        return { ...ended, error: null, note: this.#redactedOrNull(note) };
      },
      (transaction, after) => markFix(transaction, after, this.#clock.now()),
    );
    return this.#toRecord(row);
  }

  /** Adds a fix that was recorded as applied to the history. */
  async recordApplied(...[transaction, applied]: Parameters<RecordApplied>): Promise<() => void> {
    const { tenantNo, detection, fix, appliedAtMs } = applied;
    const planned: PlannedOperation = {
      detection_id: detection.detection_id,
      issue_id: detection.issue_id,
      fix_id: fix.fix_id,
      fix_type: fix.fix_type,
      title: fix.title,
      risk: fix.risk,
      executor: MANUAL,
      target: '{}',
      changes: JSON.stringify(fix.changes),
      content_before: null,
      content_after: null,
    };
    const row: HealingOperationTable = {
      ...this.#newRow(tenantNo, planned, fix.applied_by),
      started_at: appliedAtMs,
      applied_at: appliedAtMs,
      status: 'applied',
      action: 'apply',
    };
    await insertHealingOperation(transaction, row);
    return () => this.#onChanged(row, { isNew: true });
  }

  /** Marks operations whose process has ended as `unknown`. @returns how many */
  settleInterrupted(): Promise<number> {
    return this.#settleInterrupted();
  }

  async #toRecord(row: HealingOperationTable): Promise<HealingRecord> {
    const fixed = await readFixedIssues(this.#db, row.tenant_no, [row], this.#clock.now());
    return toHealingRecord(row, this.#executors.show(row), fixed.get(row.operation_id) ?? null);
  }

  #newRow(tenantNo: number, planned: PlannedOperation, by: string | null): HealingOperationTable {
    const operationId = newId('op', this.#clock, this.#random);
    const row = newOperation(planned, { tenantNo, operationId, by, now: this.#clock.now() });
    const target = row.executor === MANUAL ? this.#redactedJson(row.target) : row.target;
    return {
      ...row,
      title: this.#redactor.redactText(row.title),
      target: this.#executors.seal({ ...row, target }),
      changes: this.#redactedJson(row.changes),
    };
  }

  async #insert(row: HealingOperationTable, proposal: Proposal): Promise<HealingOperationTable> {
    const inserted = await inTransaction(this.#db, async (transaction) => {
      const policy = readPolicy(await readSetting(transaction, row.tenant_no, POLICY));
      const today = await countAutomatic(transaction, row.tenant_no, midnight(this.#clock.now()));
      const isAuto = needsNoApproval(policy, proposal, today);
      const approvals = isAuto ? this.#approval('policy', null, []) : row.approvals;
      const decided = isAuto ? { policy: 'auto', status: 'approved', approvals } : {};
      await insertHealingOperation(transaction, { ...row, ...decided });
      return { ...row, ...decided };
    });
    this.#onChanged(inserted, { isNew: true });
    return inserted;
  }

  #approval(by: string | null, note: string | null, before: readonly unknown[]): string {
    return JSON.stringify([...before, { by, at: toRfc3339(this.#clock.now()), note: this.#redactedOrNull(note) }]);
  }

  #redactedJson(text: string): string {
    return JSON.stringify(this.#redactor.redactJson(JSON.parse(text) as Json));
  }

  #redactedOrNull(note: string | null): string | null {
    return note === null ? null : this.#redactor.redactText(note);
  }

  async #page(tenantId: string, filter: HealingFilter, request: PageRequest): Promise<Page<HealingSummary>> {
    await this.#settleInterrupted();
    const tenantNo = await this.#tenantNoOf(tenantId);
    const rows = await listHealingOperations(this.#db, tenantNo, filter, toRange(request));
    const fixed = await readFixedIssues(this.#db, tenantNo, rows, this.#clock.now());
    const at = (row: HealingOperationTable) => (filter.wasApplied ? (row.applied_at ?? 0) : row.created_at);
    return toPage(rows, await countHealingOperations(this.#db, tenantNo, filter), request, {
      toItem: (row) => toHealingSummary(row, this.#executors.show(row), fixed.get(row.operation_id) ?? null),
      positionOf: (row) => ({ at: at(row), id: row.operation_id }),
    });
  }
}

const DAY_MS = 86_400_000;

function midnight(now: number): number {
  return Math.floor(now / DAY_MS) * DAY_MS;
}
