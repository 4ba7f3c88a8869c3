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
  /** Saved states that the run wrote or went on from, oldest first, with those of the thread that it passed by; empty where none are told. */
  checkpoints: Checkpoint[];
  /** Text of the last answer the run gave; null where none is known. */
  finalOutput: string | null;
  /** Set for a session of a coding agent. */
  codingSession?: CodingSession;
}

/** What a coding agent's user knows a session by. */
export interface CodingSession {
  title: string | null;
  /** Root folder of the project. */
  project: string | null;
  branch: string | null;
  endedBy: SessionEnd;
  /** Session that this one was forked from, or that started it as a subagent. */
  parentId: string | null;
}

export const SESSION_ENDS = ['completed', 'interrupted', 'refused', 'api_error', 'limit', 'unknown'] as const;
export type SessionEnd = (typeof SESSION_ENDS)[number];

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
  /** Folder the step worked in, its own or inherited from the nearest ancestor; null where no sender said. */
  workingDirectory: string | null;
  /** Model that the answer names as its own; left out where none is named. */
  answeredBy?: string;
  /** What the workflow's settings put in the place of this step's failed result. */
  takenOverBy?: Takeover;
  /** For a step that runs others once for each item, or over and over. */
  rounds?: Rounds;
  /** Which round of the step around it this is, from zero. */
  round?: number;
  /** Fields that the step's settings ask for and that none of its items has. */
  missingFields?: MissingField[];
  /** A loop that the runtime itself found here. */
  reportedLoop?: ReportedLoop;
  /** What the tool's program itself reported about the result. Decides before any word inside the result. */
  toolOutcome?: ToolOutcome;
  /** The call was not allowed to run. */
  refusal?: CallRefusal;
  /** Id of the model's message that requested this call. Calls of one message run in parallel. */
  messageId?: string;
  /** The step is a compaction of the conversation. */
  compaction?: Compaction;
  /** The step stopped to wait for a person: it begins anew when the run goes on. */
  isInterrupted?: true;
}

export interface ToolOutcome {
  /** The program's own flag; null where it sets none. */
  isError: boolean | null;
  exitCode: number | null;
}

export interface CallRefusal {
  by: RefusedBy;
  /** In the words of who refused; null where none were given. */
  reason: string | null;
}

/** `harness`: the agent's own program, for example because a parallel call failed. */
export const REFUSED_BY = ['user', 'policy', 'harness'] as const;
export type RefusedBy = (typeof REFUSED_BY)[number];

export interface Compaction {
  /** `auto`, `manual`, or as the program calls it; null where not reported. */
  trigger: string | null;
  tokensBefore: number | null;
  tokensAfter: number | null;
}

/** `error_item`: the error itself went on as the result; `dropped_item`: what failed went on nowhere. */
export type Takeover = 'default_value' | 'fail_branch' | 'other_model' | 'error_item' | 'dropped_item';

export interface Rounds {
  kind: 'items' | 'loop';
  /** Items given, or rounds allowed; null where not told. */
  planned: number | null;
  /** Rounds that ran, as the runtime counts them. */
  run: number | null;
  /** Results that hold something; null where not told, or where they are not one for each round. */
  returned: number | null;
  /** Whether a condition ended it before its rounds were used up. */
  hasLeftEarly: boolean | null;
}

export interface ReportedLoop {
  /** Tool that repeats. */
  tool: string;
  /** The other tool of a cycle of two; null where there is none. */
  pairedTool: string | null;
  /** Repetitions the runtime counted; null where not told. */
  times: number | null;
  /** The runtime's name for what it saw. */
  rule: string | null;
  /** Whether it stopped the calls, or called it critical. */
  isStopped: boolean;
}

export interface MissingField {
  /** As the settings write it: `customer.email`. */
  path: string;
  /** Setting that asks for it: `url`. */
  setting: string;
  /** A field that the items do have and that is spelt alike; null where there is none. */
  alike: string | null;
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

/** One saved state of a thread. Its values, where known, are among the snapshots. */
export interface Checkpoint {
  id: string;
  /** The one it followed on; null for the first of a thread. */
  parentId: string | null;
  /** Counted up by one from parent to child; null where not told. */
  superstep: number | null;
  /** `input`, `loop`, `update`, `fork`; null where not told. */
  source: string | null;
  /** Unix milliseconds. */
  atMs: number;
  /** Nodes that ran from here and answered. */
  done: string[];
  /** Nodes that ran from here and failed. */
  failed: string[];
  /** False for one that another run of the thread wrote. */
  isOwn: boolean;
}

export interface WorkflowGraph {
  nodes: WorkflowNode[];
  edges: { from: string; to: string }[];
  /** Whether the platform runs anything when a run fails; left out where not told. */
  hasErrorHandler?: boolean;
}

export interface WorkflowNode {
  name: string;
  type: string;
  /** True where the platform starts here (trigger, start). */
  isEntry: boolean;
  /** Whether it asks a service that may refuse or be down; left out where not told. */
  callsOut?: boolean;
  /** Whether its failure is retried or has a way of its own; left out where not told. */
  isGuarded?: boolean;
  /** For a loop: whether anything but the number of rounds ends it; left out where not told. */
  hasExit?: boolean;
}
