import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';

export const RECORD_STEP_KINDS = ['llm', 'tool', 'chain', 'message'] as const;
export type RecordStepKind = (typeof RECORD_STEP_KINDS)[number];

/** An evaluation record. Its labels, meta and group are not read, so that no label can leak into the trace. */
export interface EvaluationRecord {
  id: string;
  /** Part of `framework` before the slash, in lower case; null if none is given. */
  framework: string | null;
  /** Part of `framework` after the slash: the model that was used. */
  model: string | null;
  task: string | null;
  steps: RecordStep[];
  text: string | null;
  /** Sources that the text must agree with; empty if there are none. */
  sources: string[];
}

export interface RecordStep {
  /** Position in the record's list; its own `index` is ignored. */
  index: number;
  /** Without the `(thought)` or `(-> other)` that some frameworks append; null for users and systems. */
  agent: string | null;
  /** Agents to which control passes, according to the agent's name. */
  goto: string[];
  /** Chat role of the step. */
  role: string;
  name: string;
  kind: RecordStepKind;
  input: string;
  output: string;
  error: string | null;
  /** The workflow's state; null if the field is absent or only describes the step itself. */
  state: JsonObject | null;
  /** OpenInference span kind, if `state` contains it. */
  spanKind: string | null;
  model: string | null;
  startMs: number | null;
  endMs: number | null;
  tokensIn: number | null;
  tokensOut: number | null;
  spanId: string | null;
  parentSpanId: string | null;
}

/** Whether a value looks like an evaluation record; `readRecord` validates it. */
export function isRecord(value: Json | undefined): value is JsonObject {
  if (!isJsonObject(value) || typeof value.id !== 'string') return false;
  return Array.isArray(value.steps) || (typeof value.text === 'string' && 'sources' in value);
}

/** The record with its usable steps and the reasons for rejected ones; a text if there is no record. */
export function readRecord(
  value: Json,
): { record: EvaluationRecord; rejected: { index: number; why: string }[] } | string {
  if (!isJsonObject(value)) return 'expected an object';
  if (typeof value.id !== 'string' || value.id === '') return 'id must be a text';
  const given = Array.isArray(value.steps) ? value.steps : [];
  const text = textOrNull(value.text);
  if (given.length === 0 && text === null) return 'neither steps nor text';
  const read = given.map(readStep);
  const rejected = read.flatMap((step, index) => (typeof step === 'string' ? [{ index, why: step }] : []));
  const [framework, model] = splitFramework(textOrNull(value.framework));
  const steps = withAssistant(read.filter((step) => typeof step !== 'string'));
  return {
    record: {
      id: value.id,
      framework,
      model,
      task: textOrNull(value.task),
      steps,
      text,
      sources: value.kind === 'text' ? [] : textsOf(value.sources),
    },
    rejected,
  };
}

/**
 * The steps of a chat between a speaker named as the user and one other speaker: the other one is the assistant. In a record
 * with model calls, only they are answers.
 */
function withAssistant(steps: RecordStep[]): RecordStep[] {
  if (
    steps.some(({ kind }) => kind !== 'message') ||
    !steps.some(({ agent, role }) => agent === null && role === 'user')
  )
    return steps;
  const others = new Set(steps.flatMap(({ agent }) => agent ?? []));
  return others.size === 1 ? steps.map((step) => (step.agent === null ? step : { ...step, role: 'assistant' })) : steps;
}

function readStep(value: Json, index: number): RecordStep | string {
  if (!isJsonObject(value)) return 'expected an object';
  const given = RECORD_STEP_KINDS.find((known) => known === value.kind);
  if (given === undefined) return `kind must be one of ${RECORD_STEP_KINDS.join(', ')}`;
  const name = textOrNull(value.name) ?? '';
  const speaker = splitAgent(textOrNull(value.agent) ?? '');
  // A message to the agent that runs tools is not a tool call.
  const kind = given === 'tool' && speaker.goto.length > 0 ? 'llm' : given;
  const state = isJsonObject(value.state) ? value.state : null;
  return {
    index,
    agent: ROLES.has(speaker.agent) && kind === 'message' ? null : speaker.agent || null,
    goto: speaker.goto,
    role: roleOf(kind, speaker.agent, name),
    name,
    kind,
    input: textIn(value.input),
    output: textIn(value.output),
    error: textOrNull(value.error),
    state: state !== null && !isBookkeeping(state) ? state : null,
    spanKind: textOrNull(state?.span_kind),
    model: textOrNull(state?.model),
    startMs: numberOrNull(value.start_ms),
    endMs: numberOrNull(value.end_ms),
    tokensIn: numberOrNull(value.tokens_in),
    tokensOut: numberOrNull(value.tokens_out),
    spanId: textOrNull(value.span_id),
    parentSpanId: textOrNull(value.parent_span_id),
  };
}

/** Names of conversation roles, which are not agent names. */
export const ROLES: ReadonlyMap<string, string> = new Map([
  ['system', 'system'],
  ['user', 'user'],
  ['User', 'user'],
  ['human', 'user'],
  ['assistant', 'assistant'],
  ['tool', 'tool'],
  ['log', 'system'],
]);

function roleOf(kind: RecordStepKind, agent: string, name: string): string {
  if (kind === 'llm') return 'assistant';
  if (kind === 'tool') return 'tool';
  return ROLES.get(agent) ?? ROLES.get(name) ?? 'user';
}

/** Magentic-One writes `Orchestrator (-> WebSurfer)` and `Orchestrator (thought)`. */
function splitAgent(written: string): { agent: string; goto: string[] } {
  const open = written.indexOf(' (');
  if (open <= 0 || !written.endsWith(')')) return { agent: written, goto: [] };
  const note = written.slice(open + 2, -1);
  if (note.startsWith('-> ')) return { agent: written.slice(0, open), goto: [note.slice(3)] };
  const isNote = note === 'thought' || note === 'termination condition';
  return { agent: isNote ? written.slice(0, open) : written, goto: [] };
}

function splitFramework(written: string | null): [string | null, string | null] {
  if (written === null) return [null, null];
  const slash = written.indexOf('/');
  if (slash < 0) return [written.toLowerCase(), null];
  return [written.slice(0, slash).toLowerCase(), written.slice(slash + 1) || null];
}

const BOOKKEEPING: ReadonlySet<string> = new Set(['span_kind', 'model', 'agent_step']);

function isBookkeeping(state: JsonObject): boolean {
  return Object.keys(state).every((key) => BOOKKEEPING.has(key));
}

function textsOf(value: Json | undefined): string[] {
  return Array.isArray(value) ? value.map(textIn) : [];
}

/** Text as it is, null as an empty text, anything else as JSON text. */
function textIn(value: Json | undefined): string {
  if (typeof value === 'string') return value;
  return value == null ? '' : JSON.stringify(value);
}

function textOrNull(value: Json | undefined): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

function numberOrNull(value: Json | undefined): number | null {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null;
}
