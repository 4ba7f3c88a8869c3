import { AppError } from '../../core/app-error.ts';
import type { Answer } from '../../detectors/_kit/question.ts';
import type { Answers, KeyedQuestion } from '../../detectors/_runner/second-opinion.ts';
import { askQuestion } from '../../features/judge/ask-question.ts';
import { renderQuestion } from '../../features/judge/judge-prompt.ts';
import { createRedactor } from '../../formats/redaction/redactor.ts';
import { createJudgeClient, type JudgeClient } from '../../platforms/judge/judge-client.ts';
import { JudgeError } from '../../platforms/judge/judge-endpoint.ts';
import type { CommandContext } from '../context.ts';
import { toJudgeConfig } from '../judge-config.ts';
import { counted } from '../views/amounts.ts';
import { printableLine } from '../views/printable.ts';

/** Calls the configured model for one command. Answers are not stored, and the daily budget applies to each command. */
export interface CommandJudge {
  /** Answers by trace id. If the model does not answer, the command prints a warning and uses the rules only. */
  askAll(questions: ReadonlyMap<string, readonly KeyedQuestion[]>): Promise<Map<string, Answers>>;
}

/** @throws AppError `usage` if no model is configured */
export function openJudge({ io, print, signal }: CommandContext): CommandJudge {
  const { endpoint, budget } = toJudgeConfig({}, io.env);
  if (endpoint === null)
    throw new AppError('usage', '--judge needs a model: set MISSTEP_JUDGE_MODEL and MISSTEP_JUDGE_URL.');
  const client = createJudgeClient(endpoint);
  signal.addEventListener('abort', () => client.close(), { once: true });
  // Files were not redacted yet: only ingest does that.
  const { redactText } = createRedactor({ secrets: true, personalData: false, salt: '' });
  const known = new Map<string, Answer>();
  const remaining = { ...budget };
  let skipped = 0;
  let isUnavailable = false;

  async function askJudge(question: KeyedQuestion, by: JudgeClient): Promise<Answer | null> {
    const rendered = renderQuestion(question, redactText);
    const before = known.get(rendered.hash);
    if (before !== undefined) return before;
    if (remaining.calls <= 0 || remaining.tokens <= 0) {
      skipped += 1;
      return null;
    }
    remaining.calls -= 1;
    try {
      const { answer, tokens } = await askQuestion(by, rendered);
      remaining.tokens -= tokens;
      known.set(rendered.hash, answer);
      return answer;
    } catch (error) {
      if (!(error instanceof JudgeError)) throw error;
      isUnavailable = error.kind === 'unavailable';
      print.warn(printableLine(`misstep: the judge ${error.message}`));
      return null;
    }
  }

  return {
    async askAll(questions) {
      const answers = new Map<string, Answers>();
      for (const [traceId, open] of questions) {
        const ofTrace: Record<string, Answer> = {};
        for (const question of open) {
          signal.throwIfAborted();
          const answer = isUnavailable ? null : await askJudge(question, client);
          if (answer !== null) ofTrace[question.key] = answer;
        }
        answers.set(traceId, ofTrace);
      }
      if (skipped > 0) print.warn(`misstep: ${counted(skipped, 'question')} not asked: the judge's budget is used up`);
      skipped = 0;
      return answers;
    },
  };
}
