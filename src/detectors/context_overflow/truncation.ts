import { parseJson } from '../../core/json.ts';
import type { Step, Trace } from '../../core/trace.ts';
import { endOf } from '../_kit/text.ts';

/** `length` (OpenAI), `max_tokens` (Anthropic), `MAX_TOKENS` (Google), `max_output_tokens` (Responses). */
const CUT_REASON = /^(?:length|max_?tokens|max_output_tokens|token_limit|incomplete)$/i;
/** Such a short limit is intended, for example for a class or a yes/no answer. */
const DELIBERATE_TOKENS = 16;

export interface Truncation {
  step: Step;
  reason: string;
  score: number;
  /** End of the truncated answer. */
  tail: string;
  what: string;
}

/** Answers that a token limit truncated. */
export function findTruncations(trace: Trace): Truncation[] {
  return trace.steps.filter((step) => step.kind === 'llm').flatMap((step) => truncationOf(step, trace) ?? []);
}

function truncationOf(step: Step, trace: Trace): Truncation | null {
  const reason = step.finishReasons.find((text) => CUT_REASON.test(text));
  if (reason === undefined) return null;
  const text = step.output.trimEnd();
  const base = { step, reason, tail: endOf(text, 120) };
  if (hasCutArguments(step))
    return { ...base, score: 0.9, what: 'in the middle of a tool call, so the arguments are not valid JSON' };
  if (isContinued(step, trace)) return { ...base, score: 0.3, what: 'and the next call was asked to continue' };
  if (text === '' && step.error !== null) return { ...base, score: 0.8, what: 'and its text is not recorded' };
  if (text === '') return { ...base, score: 0.7, what: 'before it had written any text' };
  if (step.tokens.output !== null && step.tokens.output <= DELIBERATE_TOKENS) return null;
  return endsWhole(text)
    ? { ...base, score: 0.45, what: 'although the text looks complete' }
    : { ...base, score: 0.75, what: 'in the middle of the text' };
}

function hasCutArguments(step: Step): boolean {
  const calls = step.outputMessages.flatMap((message) => message.toolCalls);
  return calls.some(
    ({ arguments: args }) => typeof args === 'string' && /^\s*[{[]/.test(args) && parseJson(args) === undefined,
  );
}

/** Whether the loop handles the limit: some send the partial answer back with "continue". */
function isContinued(step: Step, trace: Trace): boolean {
  const next = trace.steps.find(
    (other) => other.index > step.index && other.kind === 'llm' && other.agent === step.agent,
  );
  const prompt = next?.inputMessages.at(-1)?.content ?? next?.input.slice(-200) ?? '';
  return /\bcontinue\b|go on\b|where you (?:left|stopped)|cut off|truncated/i.test(prompt.slice(-400));
}

function endsWhole(text: string): boolean {
  if (/[.!?…。！？"')\]}>`]$/.test(text)) return !/^[[{]/.test(text) || parseJson(text) !== undefined;
  return false;
}
