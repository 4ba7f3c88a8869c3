import type { Kysely } from 'kysely';
import type { Clock } from '../../core/clock.ts';
import type { Answer, Verdict } from '../../detectors/_kit/question.ts';
import { type Answers, identityKey, type KeyedQuestion } from '../../detectors/_runner/second-opinion.ts';
import type { Db } from '../../store/connection.ts';
import { detectionsOfTraces } from '../../store/detection.store.ts';
import { pruneJudgeAnswers, readJudgeAnswers, saveJudgeAnswer } from '../../store/judge.store.ts';
import type { Database } from '../../store/schema.ts';
import { readSetting } from '../../store/setting.store.ts';
import { inTransaction } from '../../store/transaction.ts';
import { type RenderedQuestion, renderQuestion } from './judge-prompt.ts';

/** A tenant's own setting, in addition to the instance's configuration. */
export interface JudgeSetting {
  enabled: boolean;
  /** Null: the instance's limit. */
  daily_calls: number | null;
}

export const JUDGE_SETTING = 'judge';
export const JUDGE_JOB = 'judge';
/** How long the alert about a detection with an open question waits for the answer. */
export const ALERT_WAIT_MS = 60_000;
const MAX_ANSWERS = 10_000;
const ANSWER_RETENTION_MS = 30 * 86_400_000;

/** Cache of answers, so that no question is asked twice. */
export interface JudgeCache {
  /** Whether answers are used for this tenant. */
  isEnabledFor(tenantNo: number): Promise<boolean>;
  /** Whether a model is configured. */
  canAsk: boolean;
  render(question: KeyedQuestion): RenderedQuestion;
  /** Known answers by key of the question. Detections with a person's validation have none: the validation takes precedence. */
  known(tenantNo: number, traceId: string, questions: readonly KeyedQuestion[]): Promise<Answers>;
  /** The questions that are still open. */
  unanswered(tenantNo: number, traceId: string, questions: readonly KeyedQuestion[]): Promise<KeyedQuestion[]>;
  storeAnswer(tenantNo: number, question: RenderedQuestion, answer: Answer): Promise<void>;
}

export function createJudgeCache(options: {
  db: Kysely<Database>;
  clock: Clock;
  redact(text: string): string;
  /** Name of the configured model; without one (null), answers of any model are used. */
  model: string | null;
}): JudgeCache {
  const { db, clock, redact, model } = options;
  const render = (question: KeyedQuestion) => renderQuestion(question, redact);

  /** Without those about validated detections. */
  async function askable(tenantNo: number, traceId: string, questions: readonly KeyedQuestion[]) {
    const rows = (await detectionsOfTraces(db, tenantNo, [traceId])).get(traceId) ?? [];
    const validated = rows
      .filter((row) => row.validated === 1)
      .map((row) => identityKey(row.detection_type, row.subtype, row.first_span_id));
    return questions.filter(({ key }) => !validated.includes(key));
  }

  async function known(tenantNo: number, traceId: string, questions: readonly KeyedQuestion[]): Promise<Answers> {
    const open = (await askable(tenantNo, traceId, questions)).map((question) => ({
      key: question.key,
      hash: render(question).hash,
    }));
    const hashes = open.map(({ hash }) => hash);
    const rows = await readJudgeAnswers(db, tenantNo, { hashes, model, since: clock.now() - ANSWER_RETENTION_MS });
    const entries = open.flatMap(({ key, hash }): [string, Answer][] => {
      const row = rows.find(({ question_hash }) => question_hash === hash);
      return row ? [[key, { verdict: row.verdict as Verdict, reason: row.reason, model: row.model }]] : [];
    });
    return Object.fromEntries(entries);
  }

  return {
    isEnabledFor: async (tenantNo) => (await readJudgeSetting(db, tenantNo)).enabled,
    canAsk: model !== null,
    render,
    known,
    async unanswered(tenantNo, traceId, questions) {
      const answers = await known(tenantNo, traceId, questions);
      return (await askable(tenantNo, traceId, questions)).filter(({ key }) => !Object.hasOwn(answers, key));
    },
    async storeAnswer(tenantNo, { hash }, { verdict, reason, model: by }) {
      const now = clock.now();
      const row = { tenant_no: tenantNo, question_hash: hash, model: by, verdict, reason, answered_at: now };
      await inTransaction(db, async (transaction) => {
        await saveJudgeAnswer(transaction, row);
        await pruneJudgeAnswers(transaction, tenantNo, now - ANSWER_RETENTION_MS, MAX_ANSWERS);
      });
    },
  };
}

export async function readJudgeSetting(db: Db, tenantNo: number): Promise<JudgeSetting> {
  const stored = (await readSetting(db, tenantNo, JUDGE_SETTING)) as Partial<JudgeSetting> | null;
  return { enabled: stored?.enabled ?? false, daily_calls: stored?.daily_calls ?? null };
}
