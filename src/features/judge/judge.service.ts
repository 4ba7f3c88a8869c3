import type { Kysely } from 'kysely';
import { type Clock, toRfc3339 } from '../../core/clock.ts';
import type { KeyedQuestion } from '../../detectors/_runner/second-opinion.ts';
import type { JudgeClient } from '../../platforms/judge/judge-client.ts';
import { JudgeError } from '../../platforms/judge/judge-endpoint.ts';
import { failJob, finishJobs, type LeasedJob, nextRunAt } from '../../store/job.store.ts';
import { addJudgeUsage, pruneJudgeUsage, readJudgeUsage, reserveJudgeCall } from '../../store/judge.store.ts';
import { releaseFromOutbox } from '../../store/outbox.store.ts';
import type { Database } from '../../store/schema.ts';
import { writeSetting } from '../../store/setting.store.ts';
import { isTransient } from '../../store/storage-failure.ts';
import { inTransaction } from '../../store/transaction.ts';
import { leaseFairly } from '../_kit/fair-lease.ts';
import { FairShare } from '../_kit/fair-share.ts';
import type { AnalysisService } from '../analysis/analysis.service.ts';
import type { LeaseManager } from '../leases/lease-manager.ts';
import { askQuestion } from './ask-question.ts';
import { dayOf, effectiveBudget, type JudgeBudget, nextDayAt } from './judge-budget.ts';
import { JUDGE_JOB, JUDGE_SETTING, type JudgeCache, type JudgeSetting, readJudgeSetting } from './judge-cache.ts';
import { FIRST_PAUSE_MS, JudgePause } from './judge-pause.ts';

export interface JudgeStatus {
  enabled: boolean;
  configured: boolean;
  active: boolean;
  provider: string | null;
  model: string | null;
  daily_calls: number;
  daily_tokens: number;
  calls_today: number;
  tokens_today: number;
  skipped_today: number;
  resets_at: string;
  paused_until: string | null;
}

/** A trace has at most about fifteen questions, and a slow local model may use the whole time limit for each. */
const LEASE_MS = 1_800_000;
const MAX_AT_ONCE = 5;
const MAX_ATTEMPTS = 5;
const USAGE_RETENTION_MS = 90 * 86_400_000;

/** Outcome of the questions of one trace. */
interface Round {
  answered: number;
  /** The endpoint returned no answer; null if it did. */
  failure: JudgeError | null;
}

/** Asks a model about uncertain detections, within the budget of each tenant. */
export class JudgeService {
  readonly #db: Kysely<Database>;
  readonly #clock: Clock;
  readonly #cache: JudgeCache;
  readonly #client: JudgeClient | null;
  readonly #budget: JudgeBudget;
  readonly #analysis: Pick<AnalysisService, 'openQuestions' | 'applyAnswers'>;
  readonly #tenantNoOf: (tenantId: string) => Promise<number>;
  readonly #leases: Pick<LeaseManager, 'owner'>;
  readonly #onProblem: (subject: string, problem: string) => void;
  readonly #share = new FairShare<number>();
  readonly #pause: JudgePause;
  /** Tenants and days whose exhausted budget was logged. */
  readonly #exhausted = new Set<string>();
  #isClosed = false;

  constructor(options: {
    db: Kysely<Database>;
    clock: Clock;
    cache: JudgeCache;
    /** Null if no model is configured: no questions are sent then. */
    client: JudgeClient | null;
    budget: JudgeBudget;
    analysis: Pick<AnalysisService, 'openQuestions' | 'applyAnswers'>;
    tenantNoOf(tenantId: string): Promise<number>;
    leases: Pick<LeaseManager, 'owner'>;
    onProblem(subject: string, problem: string): void;
  }) {
    this.#db = options.db;
    this.#clock = options.clock;
    this.#cache = options.cache;
    this.#client = options.client;
    this.#budget = options.budget;
    this.#analysis = options.analysis;
    this.#tenantNoOf = options.tenantNoOf;
    this.#leases = options.leases;
    this.#onProblem = options.onProblem;
    this.#pause = new JudgePause(options.clock);
  }

  async status(tenantId: string): Promise<JudgeStatus> {
    return this.#statusOf(await this.#tenantNoOf(tenantId));
  }

  /** A named field is set, null unsets it, others are unchanged. */
  async change(tenantId: string, change: { enabled?: boolean; daily_calls?: number | null }): Promise<JudgeStatus> {
    const tenantNo = await this.#tenantNoOf(tenantId);
    await inTransaction(this.#db, async (transaction) => {
      const setting: JudgeSetting = { ...(await readJudgeSetting(transaction, tenantNo)), ...change };
      await writeSetting(transaction, tenantNo, JUDGE_SETTING, { ...setting }, this.#clock.now());
    });
    return this.#statusOf(tenantNo);
  }

  /** Asks the open questions of due traces and applies the answers. @returns how many traces were processed */
  async runDue(limit: number): Promise<number> {
    if (this.#client === null || this.#isClosed || this.#pause.isActive) return 0;
    const jobs = await leaseFairly(this.#db, {
      kind: JUDGE_JOB,
      now: this.#clock.now(),
      leaseMs: LEASE_MS,
      limit: Math.min(limit, MAX_AT_ONCE),
      owner: await this.#leases.owner(),
      share: this.#share,
      freeSlotsOf: () => MAX_AT_ONCE,
    });
    for (const [at, job] of jobs.entries()) {
      if (this.#isClosed || this.#pause.isActive) {
        const retryAt = this.#pause.until;
        for (const rest of jobs.slice(at)) await failJob(this.#db, rest, { error: '', retryAt, isCounted: false });
        break;
      }
      await this.#runJob(this.#client, job);
    }
    return jobs.length;
  }

  /** Unix milliseconds of the next due question; null if none waits or no model is configured. */
  async nextDueAt(): Promise<number | null> {
    if (this.#client === null) return null;
    const next = await nextRunAt(this.#db, JUDGE_JOB, this.#clock.now());
    if (next === null) return null;
    return this.#pause.isActive ? Math.max(next, this.#pause.until) : next;
  }

  /** Aborts the current question; its trace is asked about after the next start. */
  close(): void {
    this.#isClosed = true;
    this.#client?.close();
  }

  async #statusOf(tenantNo: number): Promise<JudgeStatus> {
    const { enabled, daily_calls } = await readJudgeSetting(this.#db, tenantNo);
    const usage = await readJudgeUsage(this.#db, tenantNo, dayOf(this.#clock.now()));
    const budget = effectiveBudget(this.#budget, daily_calls);
    return {
      enabled,
      configured: this.#client !== null,
      active: enabled && this.#client !== null,
      provider: this.#client?.provider ?? null,
      model: this.#client?.model ?? null,
      daily_calls: budget.calls,
      daily_tokens: budget.tokens,
      calls_today: usage?.calls ?? 0,
      tokens_today: usage?.tokens ?? 0,
      skipped_today: usage?.skipped ?? 0,
      resets_at: toRfc3339(nextDayAt(this.#clock.now())),
      paused_until: this.#pause.isActive ? toRfc3339(this.#pause.until) : null,
    };
  }

  async #runJob(by: JudgeClient, job: LeasedJob): Promise<void> {
    const { tenantNo, key: traceId } = job;
    const startedAt = performance.now();
    try {
      const questions = await this.#analysis.openQuestions(tenantNo, traceId);
      const open = questions.length === 0 ? [] : await this.#cache.unanswered(tenantNo, traceId, questions);
      const { answered, failure } = await this.#askAll(by, tenantNo, traceId, open);
      if (answered > 0) await this.#analysis.applyAnswers(tenantNo, traceId);
      if (failure === null) return await finishJobs(this.#db, [job]);
      if (this.#isClosed)
        return await failJob(this.#db, job, { error: '', retryAt: this.#clock.now(), isCounted: false });
      if (this.#pause.recordFailure(failure.retryAfterMs))
        this.#onProblem('judge', `the judge ${failure.message}; it is tried again with growing pauses`);
      await this.#returnToQueue(job, failure.message);
    } catch (error) {
      if (isTransient(error)) {
        const retryAt = this.#clock.now() + FIRST_PAUSE_MS;
        return await failJob(this.#db, job, { error: messageOf(error), retryAt, isCounted: false });
      }
      this.#onProblem(traceId, `judging failed: ${messageOf(error)}`);
      await this.#returnToQueue(job, messageOf(error));
    } finally {
      this.#share.charge(tenantNo, performance.now() - startedAt, performance.now());
      // Answered or not, the alert must not wait longer.
      if (!this.#isClosed) await releaseFromOutbox(this.#db, tenantNo, traceId, this.#clock.now());
    }
  }

  /** Asks one question after another until the budget or the endpoint ends it. */
  async #askAll(
    by: JudgeClient,
    tenantNo: number,
    traceId: string,
    questions: readonly KeyedQuestion[],
  ): Promise<Round> {
    let answered = 0;
    for (const [at, question] of questions.entries()) {
      const day = dayOf(this.#clock.now());
      const budget = effectiveBudget(this.#budget, (await readJudgeSetting(this.#db, tenantNo)).daily_calls);
      if (!(await inTransaction(this.#db, (transaction) => reserveJudgeCall(transaction, tenantNo, day, budget)))) {
        await this.#skip(tenantNo, day, questions.length - at);
        break;
      }
      const rendered = this.#cache.render(question);
      const result = await askQuestion(by, rendered).catch(judgeError);
      if (result instanceof JudgeError) {
        await addJudgeUsage(this.#db, tenantNo, day, { calls: -1 });
        if (result.kind === 'unavailable') return { answered, failure: result };
        this.#onProblem(traceId, `the judge ${result.message}; the question is left open`);
        continue;
      }
      await addJudgeUsage(this.#db, tenantNo, day, { tokens: result.tokens });
      await this.#cache.storeAnswer(tenantNo, rendered, result.answer);
      answered += 1;
      this.#pause.recordResponse();
    }
    return { answered, failure: null };
  }

  async #skip(tenantNo: number, day: string, count: number): Promise<void> {
    await addJudgeUsage(this.#db, tenantNo, day, { skipped: count });
    await pruneJudgeUsage(this.#db, tenantNo, dayOf(this.#clock.now() - USAGE_RETENTION_MS));
    if (this.#exhausted.has(`${tenantNo} ${day}`)) return;
    if (this.#exhausted.size > 1_000) this.#exhausted.clear();
    this.#exhausted.add(`${tenantNo} ${day}`);
    this.#onProblem(
      `tenant ${tenantNo}`,
      `the judge's budget of ${day} is used up; only the rules apply until midnight UTC`,
    );
  }

  async #returnToQueue(job: LeasedJob, error: string): Promise<void> {
    if (job.attempts >= MAX_ATTEMPTS) return finishJobs(this.#db, [job]);
    const retryAt = Math.max(
      this.#pause.isActive ? this.#pause.until : 0,
      this.#clock.now() + FIRST_PAUSE_MS * 2 ** (job.attempts - 1),
    );
    await failJob(this.#db, job, { error, retryAt, isCounted: true });
  }
}

function judgeError(error: unknown): JudgeError {
  if (error instanceof JudgeError) return error;
  throw error;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
