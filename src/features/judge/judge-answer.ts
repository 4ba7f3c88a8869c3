import { z } from 'zod';
import { parseJson } from '../../core/json.ts';
import { VERDICTS, type Verdict } from '../../detectors/_kit/question.ts';

const answer = z.strictObject({ answer: z.enum(VERDICTS), reason: z.string().default('') });

const REASON_LIMIT = 200;
export const INVALID_ANSWER = 'The answer has an invalid format.';

export interface ReadAnswer {
  verdict: Verdict;
  reason: string;
}

/**
 * One JSON object with `answer` and `reason`, bare or in a code fence, after the output of thinking models; everything
 * else is `unsure`.
 */
export function readAnswer(text: string): ReadAnswer {
  const { data } = answer.safeParse(parseJson(withoutWrapping(text)));
  if (data === undefined) return { verdict: 'unsure', reason: INVALID_ANSWER };
  return { verdict: data.answer, reason: oneLine(data.reason) };
}

function withoutWrapping(text: string): string {
  const thoughtEnd = text.trim().startsWith('<think>') ? text.lastIndexOf('</think>') : -1;
  const answer = (thoughtEnd === -1 ? text : text.slice(thoughtEnd + '</think>'.length)).trim();
  const isFenced = answer.startsWith('```') && answer.endsWith('```') && answer.length >= 6;
  return isFenced ? answer.slice(3, -3).replace(/^json\b/i, '') : answer;
}

function oneLine(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim()
    .slice(0, REASON_LIMIT);
}
