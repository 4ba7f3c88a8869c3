import type { Json } from '../../../core/json.ts';
import type { Step, Trace } from '../../../core/trace.ts';
import { memoizeByRef } from '../../_kit/memoize.ts';
import { oneLine } from '../../_kit/text.ts';
import { textsAmong } from './argument-roles.ts';
import { codeIn } from './fenced-code.ts';

/** Author of the code or call that a tool span runs. */
export interface CallAuthor {
  agent: string;
  /** Step of the answer that contains the code or the call. */
  step: number;
}

/** A shorter argument can occur in another agent's code by chance. */
const MIN_CODE_CHARACTERS = 8;

/**
 * Authors of tool spans by step. In some chats, one agent writes code or a call and another agent runs it. The span has the
 * name of the second agent, which makes no model calls. The call belongs to the agent whose last answer contains the code
 * in a fence, or the structured call. Spans of agents with model calls of their own have no entry.
 */
export const callAuthors = memoizeByRef((trace: Trace): ReadonlyMap<number, CallAuthor> => {
  const authors = new Map<number, CallAuthor>();
  const answering = new Set(trace.steps.filter(({ kind }) => kind === 'llm').map(({ agent }) => agent));
  let last: Step | null = null;
  let code = '';
  for (const step of trace.steps) {
    if (step.kind === 'llm') {
      last = step;
      code = oneLine(codeIn(step.output));
      continue;
    }
    if (step.kind !== 'tool' || step.agent === null || answering.has(step.agent)) continue;
    if (last === null || last.agent === null || !(runsCode(step, code) || runsCall(step, last))) continue;
    authors.set(step.index, { agent: last.agent, step: last.index });
  }
  return authors;
});

function runsCode(step: Step, code: string): boolean {
  return code !== '' && textsAmong(argumentsOf(step)).some((text) => isPartOf(oneLine(text), code));
}

function isPartOf(text: string, code: string): boolean {
  return text.length >= MIN_CODE_CHARACTERS && code.includes(text);
}

function runsCall({ tool, name }: Step, { outputMessages }: Step): boolean {
  return outputMessages
    .flatMap(({ toolCalls }) => toolCalls)
    .some((call) => (call.id === null || !tool?.id ? call.name === (tool?.name ?? name) : call.id === tool.id));
}

function argumentsOf({ tool, input }: Step): Json {
  return tool === null || tool.arguments === null || tool.arguments === '' ? input : tool.arguments;
}
