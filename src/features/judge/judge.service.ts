import type { Kysely } from 'kysely';
import { type Clock, toRfc3339 } from '../../core/clock.ts';
import { isPaused } from '../../core/elapsed.ts';
import type { AskedQuestion } from '../../detectors/_kit/second-opinion.ts';
import type { JudgeClient } from '../../platforms/judge/judge-client.ts';
import { JudgeError } from '../../platforms/judge/judge-endpoint.ts';
import { failJob, finishJobs, type LeasedJob, nextRunAt } from '../../store/job.store.ts';
import { addJudgeUsage, pruneJudgeUsage, readJudgeUsage, takeJudgeCall } from '../../store/judge.store.ts';
import { releaseFromOutbox } from '../../store/outbox.store.ts';
import type { Database } from '../../store/schema.ts';
import { writeSetting } from '../../store/setting.store.ts';
import { isTransient } from '../../store/storage-failure.ts';
import { inTransaction } from '../../store/transaction.ts';
import { leaseFairly } from '../_kit/fair-lease.ts';
import { FairShare } from '../_kit/fair-share.ts';
import type { AnalysisService } from '../analysis/analysis.service.ts';
import type { LeaseKeeper } from '../leases/lease-keeper.ts';
import { askQuestion } from './ask-question.ts';
import { JUDGE_JOB, JUDGE_SETTING, type JudgeBook, type JudgeSetting, readJudgeSetting } from './judge-book.ts';
import { dayOf, effectiveBudget, type JudgeBudget, nextDayAt } from './judge-budget.ts';

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

export interface JudgeService {
  status(tenantId: string): Promise<JudgeStatus>;
  /** A named field is set, null unsets it, others stay. */
  change(tenantId: string, change: { enabled?: boolean; daily_calls?: number | null }): Promise<JudgeStatus>;
  /** Asks what waits and applies the answers. @returns how many traces were taken */
  runDue(limit: number): Promise<number>;
  /** Unix milliseconds when to look again; null where nothing waits or nobody is there to ask. */
  nextDueAt(): Promise<number | null>;
  /** Gives up the question under way; its trace is asked about after the next start. */
  close(): void;
}

/** A trace has at most some fifteen questions, and each may take a slow local model its whole time. */
const LEASE_MS = 1_800_000;
const MOST_AT_ONCE = 5;
const MAX_ATTEMPTS = 5;
const FIRST_PAUSE_MS = 10_000;
const LONGEST_PAUSE_MS = 600_000;
const USAGE_KEPT_MS = 90 * 86_400_000;

/** How the questions of one trace ended. */
interface Round {
  answered: number;
  /** The endpoint gave no answer; null where it did. */
  failure: JudgeError | null;
}

export function createJudgeService(options: {
  db: Kysely<Database>;
  clock: Clock;
  book: JudgeBook;
  /** Null where no model is configured: then nothing is ever asked. */
  client: JudgeClient | null;
  budget: JudgeBudget;
  analysis: Pick<AnalysisService, 'openQuestions' | 'applyAnswers'>;
  tenantNoOf(tenantId: string): Promise<number>;
  leases: Pick<LeaseKeeper, 'owner'>;
  onProblem(subject: string, problem: string): void;
}): JudgeService {
  const { db, clock, book, client, analysis, onProblem } = options;
  const share = new FairShare<number>();
  let pausedUntil = 0;
  const isPausedNow = () => isPaused(pausedUntil, clock.now(), LONGEST_PAUSE_MS);
  let failuresInARow = 0;
  let isClosed = false;
  /** Tenants and days whose used-up budget was told of. */
  const told = new Set<string>();

  async function statusOf(tenantNo: number): Promise<JudgeStatus> {
    const { enabled, daily_calls } = await readJudgeSetting(db, tenantNo);
    const usage = await readJudgeUsage(db, tenantNo, dayOf(clock.now()));
    const budget = effectiveBudget(options.budget, daily_calls);
    return {
      enabled,
      configured: client !== null,
      active: enabled && client !== null,
      provider: client?.provider ?? null,
      model: client?.model ?? null,
      daily_calls: budget.calls,
      daily_tokens: budget.tokens,
      calls_today: usage?.calls ?? 0,
      tokens_today: usage?.tokens ?? 0,
      skipped_today: usage?.skipped ?? 0,
      resets_at: toRfc3339(nextDayAt(clock.now())),
      paused_until: isPausedNow() ? toRfc3339(pausedUntil) : null,
    };
  }

  /** Asks one question after another until the budget or the endpoint ends it. */
  async function askAll(
    by: JudgeClient,
    tenantNo: number,
    traceId: string,
    questions: readonly AskedQuestion[],
  ): Promise<Round> {
    let answered = 0;
    for (const [at, question] of questions.entries()) {
      const day = dayOf(clock.now());
      const budget = effectiveBudget(options.budget, (await readJudgeSetting(db, tenantNo)).daily_calls);
      if (!(await inTransaction(db, (transaction) => takeJudgeCall(transaction, tenantNo, day, budget)))) {
        await skip(tenantNo, day, questions.length - at);
        break;
      }
      const rendered = book.render(question);
      const asked = await askQuestion(by, rendered).catch(judgeError);
      if (asked instanceof JudgeError) {
        await addJudgeUsage(db, tenantNo, day, { calls: -1 });
        if (asked.kind === 'unavailable') return { answered, failure: asked };
        onProblem(traceId, `the judge ${asked.message}; the question is left open`);
        continue;
      }
      await addJudgeUsage(db, tenantNo, day, { tokens: asked.tokens });
      await book.note(tenantNo, rendered, asked.answer);
      answered += 1;
      failuresInARow = 0;
    }
    return { answered, failure: null };
  }

  async function skip(tenantNo: number, day: string, count: number): Promise<void> {
    await addJudgeUsage(db, tenantNo, day, { skipped: count });
    await pruneJudgeUsage(db, tenantNo, dayOf(clock.now() - USAGE_KEPT_MS));
    if (told.has(`${tenantNo} ${day}`)) return;
    if (told.size > 1_000) told.clear();
    told.add(`${tenantNo} ${day}`);
    onProblem(
      `tenant ${tenantNo}`,
      `the judge's budget of ${day} is used up; the rules stand alone until midnight UTC`,
    );
  }

  /** Pauses grow with each failure in a row, whichever trace it was; one line tells of all of them. */
  function leaveAlone(failure: JudgeError): void {
    failuresInARow += 1;
    const growing = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (failuresInARow - 1));
    pausedUntil = clock.now() + Math.max(growing, Math.min(failure.retryAfterMs ?? 0, LONGEST_PAUSE_MS));
    if (failuresInARow === 1) onProblem('judge', `the judge ${failure.message}; it is tried again with growing pauses`);
  }

  async function runJob(by: JudgeClient, job: LeasedJob): Promise<void> {
    const { tenantNo, key: traceId } = job;
    const startedAt = performance.now();
    try {
      const questions = await analysis.openQuestions(tenantNo, traceId);
      const open = questions.length === 0 ? [] : await book.unanswered(tenantNo, traceId, questions);
      const { answered, failure } = await askAll(by, tenantNo, traceId, open);
      if (answered > 0) await analysis.applyAnswers(tenantNo, traceId);
      if (failure === null) return await finishJobs(db, [job]);
      if (isClosed) return await failJob(db, job, { error: '', retryAt: clock.now(), isCounted: false });
      leaveAlone(failure);
      await putBack(job, failure.message);
    } catch (error) {
      if (isTransient(error)) {
        const retryAt = clock.now() + FIRST_PAUSE_MS;
        return await failJob(db, job, { error: messageOf(error), retryAt, isCounted: false });
      }
      onProblem(traceId, `judging failed: ${messageOf(error)}`);
      await putBack(job, messageOf(error));
    } finally {
      share.charge(tenantNo, performance.now() - startedAt, performance.now());
      // Answered or not: whoever is to be alerted has waited long enough.
      if (!isClosed) await releaseFromOutbox(db, tenantNo, traceId, clock.now());
    }
  }

  async function putBack(job: LeasedJob, error: string): Promise<void> {
    if (job.attempts >= MAX_ATTEMPTS) return finishJobs(db, [job]);
    const retryAt = Math.max(isPausedNow() ? pausedUntil : 0, clock.now() + FIRST_PAUSE_MS * 2 ** (job.attempts - 1));
    await failJob(db, job, { error, retryAt, isCounted: true });
  }

  return {
    status: async (tenantId) => statusOf(await options.tenantNoOf(tenantId)),
    async change(tenantId, change) {
      const tenantNo = await options.tenantNoOf(tenantId);
      await inTransaction(db, async (transaction) => {
        const setting: JudgeSetting = { ...(await readJudgeSetting(transaction, tenantNo)), ...change };
        await writeSetting(transaction, tenantNo, JUDGE_SETTING, { ...setting }, clock.now());
      });
      return statusOf(tenantNo);
    },
    async runDue(limit) {
      if (client === null || isClosed || isPausedNow()) return 0;
      const jobs = await leaseFairly(db, {
        kind: JUDGE_JOB,
        now: clock.now(),
        leaseMs: LEASE_MS,
        limit: Math.min(limit, MOST_AT_ONCE),
        owner: await options.leases.owner(),
        share,
        roomOf: () => MOST_AT_ONCE,
      });
      for (const [at, job] of jobs.entries()) {
        if (isClosed || isPausedNow()) {
          const retryAt = pausedUntil;
          for (const rest of jobs.slice(at)) await failJob(db, rest, { error: '', retryAt, isCounted: false });
          break;
        }
        await runJob(client, job);
      }
      return jobs.length;
    },
    async nextDueAt() {
      if (client === null) return null;
      const next = await nextRunAt(db, JUDGE_JOB, clock.now());
      if (next === null) return null;
      return isPausedNow() ? Math.max(next, pausedUntil) : next;
    },
    close() {
      isClosed = true;
      client?.close();
    },
  };
}

function judgeError(error: unknown): JudgeError {
  if (error instanceof JudgeError) return error;
  throw error;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
