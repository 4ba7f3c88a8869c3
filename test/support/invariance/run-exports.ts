import type { Json, JsonObject } from '../../../src/core/json.ts';
import { chatMessage, sentMessage } from './chat-encodings.ts';
import { type Act, agentOf, errorOf, isGiven, modelOf, type PlainRun, resultOf, sentTo } from './plain-run.ts';

/** Unix milliseconds at which a run without times starts. */
export const START_MS = 1_790_000_000_000;

/** The times of an act; without recorded ones, one second for each act. */
export function timeOf(act: Act, n: number): { startMs: number; endMs: number } {
  return act.time ?? { startMs: START_MS + 1000 * n, endMs: START_MS + 1000 * (n + 1) };
}

/** From the start of the first act to one second after the last one. */
export function wholeTime({ acts }: PlainRun): { startMs: number; endMs: number } {
  const times = acts.map(timeOf);
  return {
    startMs: times.reduce((first, { startMs }) => Math.min(first, startMs), times[0]?.startMs ?? START_MS),
    endMs: times.reduce((last, { endMs }) => Math.max(last, endMs), 0) + 1000,
  };
}

/** With microseconds, as Python writes them. */
function isoTime(ms: number): string {
  const whole = Math.floor(ms);
  const micros = String(Math.floor((ms - whole) * 1000)).padStart(3, '0');
  return new Date(whole).toISOString().replace('Z', `${micros}Z`);
}

/** Acts that have a span, with their position in the run. */
export function spokenActs({ acts }: PlainRun): (readonly [Act, number])[] {
  return acts.flatMap((act, n) => (isGiven(act) ? [] : [[act, n] as const]));
}

/** Spans in the export format of OpenAI's agents SDK. */
export function agentsExport(run: PlainRun): Json[] {
  const span = (id: string, { startMs, endMs }: { startMs: number; endMs: number }, data: JsonObject): JsonObject => ({
    object: 'trace.span',
    id: `span_${id}`,
    trace_id: 'trace_1',
    parent_id: id === 'root' ? null : 'span_root',
    started_at: isoTime(startMs),
    ended_at: isoTime(endMs),
    span_data: data,
    error: null,
  });
  const children = spokenActs(run).map(([act, n]): Json => {
    if (act.kind === 'message') throw new Error('this encoding has no span for a message of an agent');
    const time = timeOf(act, n);
    if (act.kind === 'answer') {
      const output = [{ choices: [{ message: chatMessage(act) }] }];
      const input = sentTo(act, run).map(sentMessage);
      return span(`${n}`, time, { type: 'generation', model: modelOf(act), input, output, ...usageOf(act) });
    }
    const data = { type: 'function', name: act.name, input: JSON.stringify(act.args) };
    if (act.hasFailed !== true) return span(`${n}`, time, { ...data, output: act.result });
    const error = { message: 'Error running tool', data: { tool_name: act.name, error: errorOf(act) } };
    return { ...span(`${n}`, time, { ...data, output: resultOf(act) ?? '' }), error };
  });
  return [
    { object: 'trace', id: 'trace_1', workflow_name: run.agent },
    span('root', wholeTime(run), { type: 'agent', name: run.agent }),
    ...children,
  ];
}

function usageOf({ tokens }: { tokens?: { input: number | null; output: number | null } }): JsonObject {
  return tokens === undefined ? {} : { usage: { input_tokens: tokens.input, output_tokens: tokens.output } };
}

export function langSmithRuns(run: PlainRun): Json[] {
  const id = (n: number) => `0193a4c0-0000-7000-8000-${String(n).padStart(12, '0')}`;
  const whole = wholeTime(run);
  const root = {
    id: id(0),
    trace_id: id(0),
    name: run.agent,
    run_type: 'chain',
    start_time: isoTime(whole.startMs),
    end_time: isoTime(whole.endMs),
    inputs: { input: run.task },
    ...endOf(run.acts.at(-1)!),
  };
  const children = spokenActs(run).map(([act, n]): JsonObject => {
    if (act.kind === 'message') throw new Error('this encoding has no run for a message of an agent');
    const { startMs, endMs } = timeOf(act, n);
    const head = {
      id: id(n + 1),
      trace_id: id(0),
      parent_run_id: id(0),
      name: act.kind === 'call' ? act.name : 'ChatOpenAI',
      run_type: act.kind === 'call' ? 'tool' : 'llm',
      start_time: isoTime(startMs),
      end_time: isoTime(endMs),
    };
    if (act.kind === 'call') {
      const result = resultOf(act);
      return {
        ...head,
        inputs: act.args,
        ...(result === undefined ? {} : { outputs: { output: result } }),
        ...(act.hasFailed === true ? { error: errorOf(act) } : {}),
      };
    }
    return {
      ...head,
      inputs: { messages: sentTo(act, run).map(sentMessage) },
      outputs: { choices: [{ message: chatMessage(act) }] },
      extra: { metadata: { ls_model_name: modelOf(act), ...langSmithUsage(act) } },
    };
  });
  return [root, ...children];
}

function langSmithUsage({ tokens }: { tokens?: { input: number | null; output: number | null } }): JsonObject {
  return tokens === undefined ? {} : { usage_metadata: { input_tokens: tokens.input, output_tokens: tokens.output } };
}

/** The root has the answer, or the failure of the last call. */
function endOf(last: Act): JsonObject {
  if (last.kind === 'answer') return { outputs: { output: last.text } };
  return last.kind === 'call' && last.hasFailed === true ? { error: errorOf(last) } : {};
}

/** A list of spans with plain keys, as written by hand. */
export function plainSpans(run: PlainRun): Json[] {
  const ids = { trace_id: 'trace-1', parent_span_id: 'root' };
  const children = spokenActs(run).map(([act, n]): JsonObject => {
    const { startMs, endMs } = timeOf(act, n);
    const head = { ...ids, span_id: `act-${n}`, agent: agentOf(act, run), start_time: startMs, end_time: endMs };
    if (act.kind === 'message') return { ...head, name: act.agent!, kind: 'agent', output: act.text };
    if (act.kind === 'answer') {
      const input = sentTo(act, run).map(sentMessage);
      return { ...head, name: 'chat', kind: 'llm', model: modelOf(act), input, output: chatMessage(act) };
    }
    const error: JsonObject = act.hasFailed === true ? { status: 'error', error: errorOf(act) } : {};
    return { ...head, name: act.name, kind: 'tool', input: act.args, output: resultOf(act) ?? null, ...error };
  });
  const { startMs, endMs } = wholeTime(run);
  const root = { ...ids, parent_span_id: null, span_id: 'root', name: 'run', kind: 'chain', input: run.task };
  return [{ ...root, start_time: startMs, end_time: endMs }, ...children];
}

/** An evaluation record. */
export function record(run: PlainRun): Json {
  const steps = run.acts.map((act, index): JsonObject => {
    const agent = agentOf(act, run);
    if (act.kind === 'call')
      return {
        index,
        agent,
        kind: 'tool',
        name: act.name,
        input: JSON.stringify(act.args),
        output: resultOf(act) ?? '',
        error: act.hasFailed ? errorOf(act) : null,
      };
    if (act.kind === 'message') return { index, agent: act.role, kind: 'message', name: act.role, output: act.text };
    const state = { model: modelOf(act) };
    return { index, agent, kind: 'llm', name: 'chat', input: run.task, output: act.text, state };
  });
  return { id: 'run-1', kind: 'trace', framework: 'own/gpt-4o', task: run.task, steps };
}
