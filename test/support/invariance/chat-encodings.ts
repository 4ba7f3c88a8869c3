import type { Json, JsonObject } from '../../../src/core/json.ts';
import type { Message } from '../../../src/core/trace.ts';
import {
  type Act,
  type Answer,
  type Call,
  callsOf,
  DEFAULT_MODEL,
  modelOf,
  type PlainRun,
  type RequestedCall,
} from './plain-run.ts';

/** A body of OpenAI's chat completions. */
export function conversation(run: PlainRun): Json {
  const turns = requested(run).map((act): Json => {
    if (act.kind === 'message') return { role: act.role, content: act.text };
    return act.kind === 'call'
      ? { role: 'tool', tool_call_id: act.id, name: act.name, content: act.result }
      : chatMessage(act);
  });
  return { messages: [...opening(run), ...turns], model: runModel(run, DEFAULT_MODEL) };
}

export function chatMessage(answer: Answer): JsonObject {
  const calls = callsOf(answer).map(chatCall);
  return { role: 'assistant', content: answer.text, ...(calls.length === 0 ? {} : { tool_calls: calls }) };
}

/** A message that a model received, in the form of chat completions. */
export function sentMessage({ role, name, content, toolCalls, toolCallId }: Message): JsonObject {
  const calls = toolCalls.map(({ id, name: tool, arguments: args }) => chatCall({ id: id ?? '', name: tool, args }));
  return {
    role,
    content,
    ...(name === null ? {} : { name }),
    ...(toolCallId === null ? {} : { tool_call_id: toolCallId }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
}

function chatCall({ id, name, args }: RequestedCall): Json {
  return { id, type: 'function', function: { name, arguments: JSON.stringify(args) } };
}

export function anthropicMessages(run: PlainRun): Json {
  const acts = requested(run);
  const isSystem = (act: Act) => act.kind === 'message' && act.role === 'system';
  const system = acts.filter(isSystem).map((act) => (act.kind === 'message' ? act.text : ''));
  const turns = acts.filter((act) => !isSystem(act)).map(anthropicTurn);
  return {
    model: runModel(run, 'claude-sonnet-4-5'),
    system: system.join('\n\n') || 'You are a porter.',
    messages: [...opening(run), ...turns],
  };
}

function anthropicTurn(act: Act): Json {
  if (act.kind === 'message') return { role: act.role, content: act.text };
  if (act.kind === 'call') {
    const flag: JsonObject = act.hasFailed === true ? { is_error: true } : {};
    return { role: 'user', content: [{ type: 'tool_result', tool_use_id: act.id, content: act.result, ...flag }] };
  }
  const calls = callsOf(act).map(({ id, name, args }): Json => ({ type: 'tool_use', id, name, input: args }));
  return { role: 'assistant', content: [{ type: 'text', text: act.text }, ...calls] };
}

/** A request of OpenAI's responses. */
export function responses(run: PlainRun): Json {
  const items = requested(run).flatMap((act): Json[] => {
    if (act.kind === 'message') return [{ role: act.role, content: act.text }];
    if (act.kind === 'call') return [{ type: 'function_call_output', call_id: act.id, output: act.result }];
    const calls = callsOf(act).map(({ id, name, args }): Json => {
      return { type: 'function_call', call_id: id, name, arguments: JSON.stringify(args) };
    });
    return [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: act.text }] }, ...calls];
  });
  return { model: runModel(run, DEFAULT_MODEL), input: [...opening(run), ...items] };
}

/** A run without messages of a user starts with its task. */
function opening({ task, acts }: PlainRun): Json[] {
  return acts.some(({ kind }) => kind === 'message') ? [] : [{ role: 'user', content: task }];
}

function runModel({ acts }: PlainRun, otherwise: string): string {
  const answer = acts.find((act): act is Answer => act.kind === 'answer' && act.model !== undefined);
  return (answer && modelOf(answer)) ?? otherwise;
}

/** A chat has no result without a request: a call that no answer requested is requested by the answer before it. */
function requested({ acts }: PlainRun): Act[] {
  const known = new Set(acts.flatMap((act) => callsOf(act).map(({ id }) => id)));
  const turns: Act[] = [];
  for (const act of acts) {
    if (act.kind === 'call' && !known.has(act.id)) request(turns, act);
    turns.push(act);
  }
  return turns;
}

function request(turns: Act[], { id, name, args }: Call): void {
  const at = turns.findLastIndex(({ kind }) => kind !== 'call');
  const before = turns[at];
  const call = { id, name, args };
  if (before?.kind === 'answer') turns[at] = { ...before, calls: [...(before.calls ?? []), call] };
  else turns.push({ kind: 'answer', text: '', calls: [call] });
}
