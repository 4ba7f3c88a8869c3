import type { Answer } from '../../detectors/_kit/question.ts';
import type { JudgeClient } from '../../platforms/judge/judge-client.ts';
import type { JudgePrompt } from '../../platforms/judge/judge-endpoint.ts';
import { readAnswer } from './judge-answer.ts';

export interface QuestionResult {
  answer: Answer;
  /** Of question and answer together; estimated from the length if the endpoint does not report them. */
  tokens: number;
}

const CHARACTERS_PER_TOKEN = 4;

/** @throws JudgeError if the endpoint gives no answer; an answer in an invalid format is `unsure` */
export async function askQuestion(client: JudgeClient, prompt: JudgePrompt): Promise<QuestionResult> {
  const { text, inputTokens, outputTokens } = await client.ask({ system: prompt.system, user: prompt.user });
  const length = prompt.system.length + prompt.user.length + text.length;
  return {
    answer: { ...readAnswer(text), model: client.model },
    tokens: inputTokens + outputTokens || Math.ceil(length / CHARACTERS_PER_TOKEN),
  };
}
