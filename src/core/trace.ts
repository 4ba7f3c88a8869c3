import type { Json } from './json.ts';

/** A run of an agent workflow, built from its spans: what detectors and readers look at. */
export interface Trace {
  traceId: string;
  /** Sender's framework in lower case (`langgraph`, `openai-agents`, `vercel-ai`, …) or `unknown`. */
  framework: string;
  serviceName: string | null;
  name: string;
  /** What the run was asked to do, as text; null where no sender said. */
  task: string | null;
  status: TraceStatus;
  sessionId: string | null;
  threadId: string | null;
  /** Unix milliseconds with fractions; null where no span carried a time. */
  startedAtMs: number | null;
  endedAtMs: number | null;
  /** False while later spans may still come: absence then proves nothing. */
  isSettled: boolean;
  /** In order of start time; parents stand before their children. */
  steps: Step[];
  states: StateSnapshot[];
  /** Names in order of first appearance. */
  agents: string[];
  tokens: TokenUsage;
  costUsd: number | null;
  models: string[];
  /** Tools the run was offered, where a sender declared them. */
  toolDefinitions: ToolDefinition[];
  /** The declared workflow graph where known (n8n, Dify, LangGraph); executed edges are read off the steps. */
  graph: WorkflowGraph | null;
  /** Text of the last answer the run gave; null where none is known. */
  finalOutput: string | null;
}

export type TraceStatus = 'running' | 'ok' | 'error';

export type StepKind =
  | 'llm'
  | 'tool'
  | 'agent'
  | 'chain'
  | 'retrieval'
  | 'embedding'
  | 'guardrail'
  | 'message'
  | 'other';

/** One span with its meaning read. */
export interface Step {
  /** Zero-based position in `Trace.steps`. */
  index: number;
  spanId: string;
  /** Index of the parent step; null for a root or where the parent never came. */
  parent: number | null;
  depth: number;
  kind: StepKind;
  name: string;
  /** Agent that acted, its own or inherited from the nearest ancestor. */
  agent: string | null;
  /** Graph node, where the framework has nodes. */
  node: string | null;
  startMs: number | null;
  endMs: number | null;
  status: 'unset' | 'ok' | 'error';
  error: StepError | null;
  /** What went in and came out, as text; empty where unknown. Structured forms stand beside. */
  input: string;
  output: string;
  /** Messages an LLM call was sent, and what it answered. */
  inputMessages: Message[];
  outputMessages: Message[];
  /** The tool this step executed. */
  tool: ToolCall | null;
  model: string | null;
  provider: string | null;
  tokens: TokenUsage;
  costUsd: number | null;
  finishReasons: string[];
  /** Where a routing step sent control: node or agent names. */
  goto: string[];
  documents: RetrievedDocument[];
}

export interface StepError {
  /** Class or code, e.g. `GraphRecursionError`, `429`; empty where unknown. */
  type: string;
  message: string;
}

export interface Message {
  /** `system`, `user`, `assistant`, `tool`; other roles as sent. */
  role: string;
  name: string | null;
  content: string;
  toolCalls: ToolCall[];
  /** For a tool's answer: the call it answers. */
  toolCallId: string | null;
}

export interface ToolCall {
  id: string | null;
  name: string;
  arguments: Json;
  /** Null where no result is known; text results stay text. */
  result: Json;
}

export interface ToolDefinition {
  name: string;
  description: string;
  /** JSON Schema of the arguments; null where the sender gave none. */
  parameters: Json;
}

export interface RetrievedDocument {
  id: string | null;
  content: string;
  score: number | null;
}

/** Tokens as reported by the sender; null where not reported. `input` includes cached tokens. */
export interface TokenUsage {
  input: number | null;
  output: number | null;
  total: number | null;
  cacheRead: number | null;
  cacheWrite: number | null;
  reasoning: number | null;
}

export const NO_TOKENS: TokenUsage = {
  input: null,
  output: null,
  total: null,
  cacheRead: null,
  cacheWrite: null,
  reasoning: null,
};

export interface StateSnapshot {
  sequence: number;
  /** Step the state was recorded on. */
  step: number;
  spanId: string;
  agent: string | null;
  node: string | null;
  checkpointId: string | null;
  threadId: string | null;
  /** The whole state after the step, where known. */
  state: Json;
  /** Top-level fields that changed since the snapshot before of the same thread; null for the first. */
  delta: Json;
  /** First 16 hex digits of SHA-256 over canonical JSON. */
  stateHash: string;
  tokenCount: number | null;
  latencyMs: number | null;
  atMs: number | null;
}

export interface WorkflowGraph {
  nodes: WorkflowNode[];
  edges: { from: string; to: string }[];
}

export interface WorkflowNode {
  name: string;
  type: string;
  /** True where the platform starts here (trigger, start). */
  isEntry: boolean;
}
