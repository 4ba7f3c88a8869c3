import { createHash } from 'node:crypto';
import { canonicalJson, isJsonObject, type Json } from '../../core/json.ts';
import {
  type Checkpoint,
  type CodingSession,
  type Message,
  NO_TOKENS,
  type RejectedRecords,
  type RetrievedDocument,
  type StateSnapshot,
  type Step,
  type StepError,
  type StepKind,
  type TokenUsage,
  type ToolCall,
  type ToolDefinition,
  type Trace,
  type WorkflowGraph,
} from '../../core/trace.ts';

/** A step for tests. Omitted fields get the values of an ordinary sender. */
export interface StepDraft {
  kind: StepKind;
  name?: string;
  agent?: string | null;
  node?: string | null;
  /** Index of the parent step. */
  parent?: number | null;
  input?: string;
  output?: string;
  error?: StepError | null;
  tool?: ToolCall | null;
  inputMessages?: Message[];
  outputMessages?: Message[];
  model?: string | null;
  inputTokens?: number;
  outputTokens?: number;
  costUsd?: number | null;
  finishReasons?: string[];
  goto?: string[];
  documents?: RetrievedDocument[];
  workingDirectory?: string | null;
  durationMs?: number;
  /** Facts that only some runtimes record. */
  facts?: Pick<
    Step,
    | 'answeredBy'
    | 'errorFallback'
    | 'failureSettings'
    | 'rounds'
    | 'branches'
    | 'round'
    | 'missingFields'
    | 'failedCode'
    | 'hook'
    | 'startedRuns'
    | 'isInterrupted'
    | 'reportedLoop'
    | 'toolOutcome'
    | 'refusal'
    | 'messageId'
    | 'compaction'
  >;
}

/** A trace under construction, for tests and for the examples in the READMEs of detectors. */
export interface TraceDraft {
  framework: string;
  task: string | null;
  isSettled: boolean;
  /** Working directory of the following steps. */
  workingDirectory: string | null;
  steps: Step[];
  states: StateSnapshot[];
  toolDefinitions: ToolDefinition[];
  graph: WorkflowGraph | null;
  checkpoints: Checkpoint[];
  /** If undefined, the last model text is the final output. */
  finalOutput: string | null | undefined;
  /** Session facts of a coding agent. */
  codingSession: CodingSession | null;
  rejectedRecords: RejectedRecords | null;
}

export function emptyDraft(): TraceDraft {
  return {
    framework: 'unknown',
    task: null,
    isSettled: true,
    workingDirectory: null,
    steps: [],
    states: [],
    toolDefinitions: [],
    graph: null,
    checkpoints: [],
    finalOutput: undefined,
    codingSession: null,
    rejectedRecords: null,
  };
}

const START_MS = 1_760_000_000_000;

/** Appends a step one second after the previous one and returns its index. */
export function addStep(draft: TraceDraft, step: StepDraft): number {
  const index = draft.steps.length;
  const parent = step.parent ?? null;
  const startMs = START_MS + index * 1000;
  draft.steps.push({
    index,
    spanId: (index + 1).toString(16).padStart(16, '0'),
    parent,
    depth: parent === null ? 0 : draft.steps[parent]!.depth + 1,
    kind: step.kind,
    name: step.name ?? step.tool?.name ?? step.model ?? step.kind,
    agent: step.agent ?? null,
    node: step.node ?? null,
    startMs,
    endMs: startMs + (step.durationMs ?? 800),
    status: step.error ? 'error' : 'unset',
    error: step.error ?? null,
    input: step.input ?? '',
    output: step.output ?? '',
    inputMessages: step.inputMessages ?? [],
    outputMessages: step.outputMessages ?? [],
    tool: step.tool ?? null,
    model: step.model ?? null,
    provider: null,
    tokens: tokensOf(step),
    costUsd: step.costUsd ?? null,
    finishReasons: step.finishReasons ?? [],
    goto: step.goto ?? [],
    documents: step.documents ?? [],
    workingDirectory: step.workingDirectory ?? draft.workingDirectory,
    ...step.facts,
  });
  return index;
}

function tokensOf({ inputTokens, outputTokens }: StepDraft): TokenUsage {
  if (inputTokens === undefined && outputTokens === undefined) return { ...NO_TOKENS };
  const input = inputTokens ?? 0;
  const output = outputTokens ?? 0;
  return { ...NO_TOKENS, input, output, total: input + output };
}

/** Records the whole state after the newest step; creates a step if there is none. */
export function addState(
  draft: TraceDraft,
  state: Json,
  at: { agent?: string | null; node?: string | null } = {},
): void {
  if (draft.steps.length === 0) addStep(draft, { kind: 'chain', name: 'start', ...at });
  const step = draft.steps[draft.steps.length - 1]!;
  const before = draft.states[draft.states.length - 1];
  draft.states.push({
    sequence: draft.states.length,
    step: step.index,
    spanId: step.spanId,
    agent: at.agent ?? step.agent,
    node: at.node ?? step.node,
    checkpointId: null,
    threadId: null,
    state,
    delta: before === undefined ? null : changedFields(before.state, state),
    stateHash: createHash('sha256').update(canonicalJson(state)).digest('hex').slice(0, 16),
    tokenCount: null,
    latencyMs: null,
    atMs: step.endMs,
  });
}

function changedFields(before: Json, after: Json): Json {
  if (!isJsonObject(before) || !isJsonObject(after)) return null;
  const changed = Object.entries(after).filter(
    ([field, value]) => before[field] === undefined || canonicalJson(before[field]) !== canonicalJson(value),
  );
  return Object.fromEntries(changed);
}

/** The finished trace, with sums and names collected as in a real trace. */
export function finishTrace(draft: TraceDraft): Trace {
  const { steps } = draft;
  const root = steps.find((step) => step.parent === null);
  const llm = steps.filter((step) => step.kind === 'llm');
  const answers = llm.filter((step) => step.output !== '');
  return {
    traceId: '0af7651916cd43dd8448eb211c80319c',
    framework: draft.framework,
    serviceName: null,
    name: root?.name ?? 'run',
    task: draft.task ?? steps.find((step) => step.kind === 'message' && step.name === 'user')?.output ?? null,
    status: draft.isSettled ? (root?.status === 'error' ? 'error' : 'ok') : 'running',
    sessionId: null,
    threadId: null,
    startedAtMs: steps.length === 0 ? null : START_MS,
    endedAtMs: draft.isSettled ? (steps[steps.length - 1]?.endMs ?? null) : null,
    isSettled: draft.isSettled,
    steps,
    states: draft.states,
    agents: [...new Set(steps.flatMap((step) => step.agent ?? []))],
    tokens: sumTokens(llm),
    costUsd: llm.some((step) => step.costUsd !== null) ? llm.reduce((sum, step) => sum + (step.costUsd ?? 0), 0) : null,
    models: [...new Set(llm.flatMap((step) => step.model ?? []))],
    toolDefinitions: draft.toolDefinitions,
    graph: draft.graph,
    checkpoints: draft.checkpoints,
    finalOutput: draft.finalOutput === undefined ? (answers[answers.length - 1]?.output ?? null) : draft.finalOutput,
    ...(draft.codingSession === null ? {} : { codingSession: draft.codingSession }),
    ...(draft.rejectedRecords === null ? {} : { rejectedRecords: draft.rejectedRecords }),
  };
}

function sumTokens(steps: readonly Step[]): TokenUsage {
  const reported = steps.filter((step) => step.tokens.total !== null);
  if (reported.length === 0) return { ...NO_TOKENS };
  const sum = (pick: (usage: TokenUsage) => number | null) =>
    reported.reduce((total, step) => total + (pick(step.tokens) ?? 0), 0);
  return {
    ...NO_TOKENS,
    input: sum((usage) => usage.input),
    output: sum((usage) => usage.output),
    total: sum((usage) => usage.total),
  };
}
