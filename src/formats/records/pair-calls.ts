import type { Json } from '../../core/json.ts';
import { type RecordStep, ROLES } from './record-shape.ts';
import { type RequestedCalls, readArguments, readRequestedCalls, readScript } from './requested-calls.ts';

/** A tool call with its result, if the record contains one. */
export interface PairedCall {
  id: string;
  name: string;
  arguments: Json;
}

/** A call without a step of its own: the next message contains its result. */
export interface ObservedCall extends PairedCall {
  result: string;
  hasFailed: boolean;
}

export interface PairedCalls {
  /** By index of an `llm` step: its requested calls, and its answer without them. */
  requested: Map<number, { calls: PairedCall[]; prose: string }>;
  /** By index of a `tool` step. */
  executed: Map<number, PairedCall>;
  /** By index of the requesting `llm` step. */
  observed: Map<number, ObservedCall[]>;
}

/** Calls that the last model step requested and that no tool step has executed yet. */
interface PendingRequests {
  agent: string | null;
  pending: PairedCall[];
  script: string | null;
}

/** Joins the requests of models with the steps that executed them, in order and by name. */
export function pairCalls(steps: readonly RecordStep[]): PairedCalls {
  const paired: PairedCalls = { requested: new Map(), executed: new Map(), observed: new Map() };
  let requests: PendingRequests = { agent: null, pending: [], script: null };
  steps.forEach((step, at) => {
    if (step.kind === 'tool') paired.executed.set(step.index, execution(step, requests));
    if (step.kind !== 'llm') return;
    const { calls, prose } = readAnswer(step);
    const pending = calls.map((call, nth) => ({ ...call, id: call.id ?? `call_${step.index}_${nth}` }));
    requests = { agent: step.agent, pending, script: calls.length === 0 ? readScript(step.output) : null };
    paired.requested.set(step.index, { calls: [...pending], prose });
    const observation = pending.length === 1 ? observationIn(steps[at + 1]) : null;
    if (observation !== null) paired.observed.set(step.index, [{ ...pending[0]!, ...observation }]);
  });
  return paired;
}

function readAnswer(step: RecordStep): RequestedCalls {
  return step.output === '' ? { calls: [], prose: '' } : readRequestedCalls(step.output);
}

/** Removes the executed call from the list of pending ones. */
function execution(step: RecordStep, requests: PendingRequests): PairedCall {
  const isNamed = step.name !== '' && !ROLES.has(step.name);
  const match = isNamed ? requests.pending.findIndex((call) => call.name === step.name) : 0;
  const call: PairedCall | undefined = match < 0 ? undefined : requests.pending.splice(match, 1)[0];
  const given = unwrapPythonCall(readArguments(step.input));
  return {
    id: call?.id ?? `call_${step.index}`,
    name: isNamed ? step.name : (call?.name ?? executorName(step, requests)),
    arguments: given ?? call?.arguments ?? (isNamed ? null : requests.script),
  };
}

/** If the chat role replaces the tool name, a separate executor agent names the tool. */
function executorName(step: RecordStep, requests: PendingRequests): string {
  return step.agent === null || step.agent === requests.agent ? 'tool' : step.agent;
}

/** smolagents logs `{"args": […], "kwargs": {…}, "sanitize_inputs_outputs": …}` around the arguments. */
export function unwrapPythonCall(given: Json): Json {
  if (given === null || typeof given !== 'object' || Array.isArray(given)) return given;
  const { args, kwargs } = given;
  if (!Array.isArray(args) || kwargs === null || typeof kwargs !== 'object' || Array.isArray(kwargs)) return given;
  return args.length === 0 ? kwargs! : { args, ...kwargs };
}

const OBSERVATION = 'Current Observation:';

/** The result of the previous call in a message to the model: `Tool 'x' executed. Result: …`. */
function observationIn(next: RecordStep | undefined): { result: string; hasFailed: boolean } | null {
  if (next?.kind !== 'message') return null;
  const from = next.output.indexOf(OBSERVATION);
  if (from < 0) return null;
  const observation = next.output
    .slice(from + OBSERVATION.length)
    .split('\n\nAvailable Tools:', 1)[0]!
    .trim();
  const result = observation.replace(/^Tool '[^'\n]{1,200}' executed\.\s{0,4}Result: ?/, '');
  return { result, hasFailed: /^Error\b/.test(result) };
}
