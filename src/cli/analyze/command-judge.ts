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

/** @throws AppError `usage` if no model is configured */
export function openJudge(context: CommandContext): CommandJudge {
  const { endpoint, budget } = toJudgeConfig({}, context.io.env);
  if (endpoint === null)
    throw new AppError('usage', '--judge needs a model: set MISSTEP_JUDGE_MODEL and MISSTEP_JUDGE_URL.');
  return new CommandJudge(createJudgeClient(endpoint), budget, context);
}

/** Calls the configured model for one command. Answers are not stored, and the daily budget applies to each command. */
export class CommandJudge {
  readonly #client: JudgeClient;
  readonly #context: CommandContext;
  // Files were not redacted yet: only ingest does that.
  readonly #redactor = createRedactor({ secrets: true, personalData: false, salt: '' });
  /** By the hash of the question. */
  readonly #answers = new Map<string, Answer>();
  readonly #remaining: { calls: number; tokens: number };
  #skipped = 0;
  #isUnavailable = false;

  constructor(client: JudgeClient, budget: { calls: number; tokens: number }, context: CommandContext) {
    this.#client = client;
    this.#context = context;
    this.#remaining = { ...budget };
    context.signal.addEventListener('abort', () => client.close(), { once: true });
  }

  /** Answers by trace id. If the model does not answer, the command prints a warning and uses the rules only. */
  async askAll(questions: ReadonlyMap<string, readonly KeyedQuestion[]>): Promise<Map<string, Answers>> {
    const answers = new Map<string, Answers>();
    for (const [traceId, open] of questions) answers.set(traceId, await this.#askEach(open));
    if (this.#skipped > 0) {
      const skipped = counted(this.#skipped, 'question');
      this.#context.print.warn(`misstep: ${skipped} not asked: the judge's budget is used up`);
    }
    this.#skipped = 0;
    return answers;
  }

  async #askEach(questions: readonly KeyedQuestion[]): Promise<Answers> {
    const answers: Record<string, Answer> = {};
    for (const question of questions) {
      this.#context.signal.throwIfAborted();
      const answer = this.#isUnavailable ? null : await this.#ask(question);
      if (answer !== null) answers[question.key] = answer;
    }
    return answers;
  }

  async #ask(question: KeyedQuestion): Promise<Answer | null> {
    const rendered = renderQuestion(question, this.#redactor.redactText);
    const known = this.#answers.get(rendered.hash);
    if (known !== undefined) return known;
    if (this.#remaining.calls <= 0 || this.#remaining.tokens <= 0) {
      this.#skipped += 1;
      return null;
    }
    this.#remaining.calls -= 1;
    try {
      const { answer, tokens } = await askQuestion(this.#client, rendered);
      this.#remaining.tokens -= tokens;
      this.#answers.set(rendered.hash, answer);
      return answer;
    } catch (error) {
      if (!(error instanceof JudgeError)) throw error;
      this.#isUnavailable = error.kind === 'unavailable';
      this.#context.print.warn(printableLine(`misstep: the judge ${error.message}`));
      return null;
    }
  }
}
