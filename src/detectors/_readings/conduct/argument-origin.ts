import { isJsonObject } from '../../../core/json.ts';
import type { Trace } from '../../../core/trace.ts';
import { cut, oneLine, wordCount } from '../../_kit/text.ts';
import { textsAmong } from '../calls/argument-roles.ts';
import type { ToolUse } from '../calls/calls.ts';

/** Longer values are texts that an agent composes itself, such as a query. */
const MAX_VALUE_WORDS = 3;

/** Says that the values of the arguments were invented, if none of them occurs before the call. */
export function originText(trace: Trace, use: ToolUse): string {
  const texts = isJsonObject(use.arguments) ? textsAmong(use.arguments).map((each) => each.trim()) : [];
  const values = [...new Set(texts.filter((text) => wordCount(text) <= MAX_VALUE_WORDS))];
  if (values.length === 0 || trace.task === null) return '';
  const before = trace.steps.filter(({ index }) => index < use.requestedAt);
  const known = [trace.task, ...before.map(({ input, output }) => `${input}\n${output}`)].join('\n').toLowerCase();
  if (values.some((value) => known.includes(value.toLowerCase()))) return '';
  const shown = values.slice(0, 2).map((value) => `"${cut(oneLine(value), 40)}"`);
  return ` Neither the task nor an earlier step contains ${shown.join(' or ')}: have ${use.agent ?? 'the agent'} ask for what it needs, or leave the call out.`;
}
