import type { Json } from './json.ts';

/** A run of an agent workflow, built from its spans: the input of detectors and read APIs. */
export interface Trace {
  traceId: string;
  /** Framework of the sender in lower case (`langgraph`, `openai-agents`, `vercel-ai`, …) or `unknown`. */
  framework: string;
  /** Language of the program that recorded the run; omitted if unknown. */
  language?: ProgramLanguage;
  serviceName: string | null;
  name: string;
  /** The task of the run as text; null if no sender reported it. */
  task: string | null;
  status: TraceStatus;
  sessionId: string | null;
  threadId: string | null;
  /** Ids under which the sender knows the run, if `traceId` was derived from them; omitted if the sender knows `traceId`. */
  senderIds?: SenderId[];
  /** Unix milliseconds with fractions; null if no span has a time. */
  startedAtMs: number | null;
  endedAtMs: number | null;
  /** False while later spans may still arrive: absence then proves nothing. */
  isSettled: boolean;
  /** In order of start time; parents come before their children. */
  steps: Step[];
  states: StateSnapshot[];
  /** Names of the actors of its steps, in order of first appearance. A node of a workflow is one only if its step names it. */
  agents: string[];
  tokens: TokenUsage;
  costUsd: number | null;
  models: string[];
  /** Tools offered to the run, if a sender declared them. */
  toolDefinitions: ToolDefinition[];
  /** The declared workflow graph if known (n8n, Dify, LangGraph); executed edges are derived from the steps. */
  graph: WorkflowGraph | null;
  /** Saved states that the run wrote or resumed from, oldest first, with those of the thread that it skipped; empty if none are reported. */
  checkpoints: Checkpoint[];
  /** Text of the run's last answer; null if unknown. */
  finalOutput: string | null;
  /** Set for a session of a coding agent. */
  codingSession?: CodingSession;
  /** Records of the run that were received and rejected: steps are missing. Omitted if none are known. */
  rejectedRecords?: RejectedRecords;
}

export interface SenderId {
  /** In the words of the sender: `run_id`, `execution`. */
  name: string;
  id: string;
}

/** Languages in which fixes show code. */
export type ProgramLanguage = 'python' | 'javascript';

/** Records of a run that could not be read, such as compressed rows. What they contain is not known. */
export interface RejectedRecords {
  count: number;
  /** The last step that was recorded before the last rejected record; -1 if none was recorded. */
  afterStep: number;
  /** Whether no message, model call or tool call was read after the last rejected record: how the run ended is not known. */
  isEndMissing: boolean;
}

/** How the user of a coding agent identifies a session. */
export interface CodingSession {
  title: string | null;
  /** Root folder of the project. */
  project: string | null;
  branch: string | null;
  endedBy: SessionEnd;
  /** The session that this one was forked from, or that started it as a subagent. */
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

/** One span with its interpreted meaning. */
export interface Step {
  /** Zero-based position in `Trace.steps`. */
  index: number;
  spanId: string;
  /** Index of the parent step; null for a root or if the parent never arrived. */
  parent: number | null;
  depth: number;
  kind: StepKind;
  name: string;
  /** The acting agent, its own or inherited from the nearest ancestor. */
  agent: string | null;
  /** Graph node, if the framework has nodes. */
  node: string | null;
  startMs: number | null;
  endMs: number | null;
  status: 'unset' | 'ok' | 'error';
  error: StepError | null;
  /** Input and output as text; empty if unknown. Structured forms are in other fields. */
  input: string;
  output: string;
  /** Messages sent to an LLM call, and its answer. */
  inputMessages: Message[];
  outputMessages: Message[];
  /** The tool that this step executed. */
  tool: ToolCall | null;
  model: string | null;
  provider: string | null;
  /** Of this step without the steps inside it: the sum over all steps is the trace's total. The same holds for the cost. */
  tokens: TokenUsage;
  costUsd: number | null;
  finishReasons: string[];
  /** Targets of a routing step: node or agent names. */
  goto: string[];
  documents: RetrievedDocument[];
  /** Working directory of the step, its own or inherited from the nearest ancestor; null if no sender reported it. */
  workingDirectory: string | null;
  /** Model named in the response; omitted if none is named. */
  answeredBy?: string;
  /** What the workflow's settings substituted for this step's failed result. */
  errorFallback?: ErrorFallback;
  /** What the settings of the step say about its failure; omitted if none are reported. */
  failureSettings?: FailureSettings;
  /** For a step that runs others once per item, or repeatedly. */
  rounds?: Rounds;
  /** For a step that decides which of several branches run. */
  branches?: Branches;
  /** Zero-based round of the enclosing step that this step belongs to. */
  round?: number;
  /** Fields that the step's settings reference and that none of its items has. */
  missingFields?: MissingField[];
  /** The line of the step's own code that failed, if the sender recorded the code. */
  failedCode?: FailedCode;
  /** Runs of other workflows that this step started; omitted if none are reported. */
  startedRuns?: StartedRun[];
  /** Set for a step that runs a hook of the user's configuration. */
  hook?: HookRun;
  /** A loop that the runtime itself reported here. */
  reportedLoop?: ReportedLoop;
  /** What the tool's program itself reported about the result. It takes precedence over any text in the result. */
  toolOutcome?: ToolOutcome;
  /** The call was not allowed to run. */
  refusal?: CallRefusal;
  /** Id of the model's message that requested this call. Calls of one message run in parallel. */
  messageId?: string;
  /** The step is a compaction of the conversation. */
  compaction?: Compaction;
  /** The sender recorded the usage before the answer ended: the output tokens and the cost are lower bounds. */
  isUsagePartial?: true;
  /** The step stopped to wait for a person: it starts again when the run continues. */
  isInterrupted?: true;
}

export interface ToolOutcome {
  /** The program's own flag; null if it sets none. */
  isError: boolean | null;
  exitCode: number | null;
}

export interface CallRefusal {
  by: RefusedBy;
  /** Message of the party that refused; null if absent. */
  reason: string | null;
}

/** `harness`: the agent's own program, for example because a parallel call failed. */
export const REFUSED_BY = ['user', 'policy', 'harness'] as const;
export type RefusedBy = (typeof REFUSED_BY)[number];

export interface Compaction {
  /** `auto`, `manual`, or the program's own term; null if not reported. */
  trigger: string | null;
  tokensBefore: number | null;
  tokensAfter: number | null;
}

/** `error_item`: the error itself was passed on as the result; `dropped_item`: the failed item was not passed on. */
export type ErrorFallback = 'default_value' | 'fail_branch' | 'other_model' | 'error_item' | 'dropped_item';

/** A member is omitted if it is not reported. */
export interface FailureSettings {
  /** Attempts that the settings allow: 1 without a retry. */
  attempts?: number;
  /** Pause between two attempts in milliseconds. */
  waitMs?: number;
  /** What the workflow does after the last attempt failed. */
  onError?: OnError;
}

/** `stop`: the run fails; `error_item`: the error is passed on as the result; `error_output`: it takes an output of its own. */
export type OnError = (typeof ON_ERROR)[number];
export const ON_ERROR = ['stop', 'error_item', 'error_output'] as const;

export interface Rounds {
  kind: 'items' | 'loop';
  /** Items given, or rounds allowed; null if not reported. */
  planned: number | null;
  /** Rounds that ran, as the runtime counts them. */
  run: number | null;
  /** Non-empty results; null if not reported, or if there is not one result per round. */
  returned: number | null;
  /** Whether a condition ended it before its rounds were used up. */
  hasLeftEarly: boolean | null;
}

export interface Branches {
  /** Conditions that were evaluated, one for each branch. */
  conditions: number;
  /** Names of the branches that ran; empty if no condition held. */
  taken: string[];
}

export interface HookRun {
  /** In the words of the agent: `PreToolUse`. */
  event: string;
  /** The tool whose call the hook belongs to; null for another event. */
  tool: string | null;
  /** Whether the call was allowed to run; null if the hook does not decide it, or if it is not reported. */
  letsProceed: boolean | null;
}

/** Named as the platform names it. */
export interface StartedRun {
  id: string;
  workflow: string;
}

export interface FailedCode {
  /** One-based. */
  line: number;
  /** The line as recorded, without its indentation. */
  text: string;
  /** The expression that was undefined or null where a property of it was read; null if it is not known. */
  value: string | null;
  /** Whether that expression is read from the input of the step; null if it is not known. */
  isFromInput: boolean | null;
}

export interface ReportedLoop {
  /** Tool that repeats. */
  tool: string;
  /** The other tool of a cycle of two; null if absent. */
  pairedTool: string | null;
  /** Repetitions the runtime counted; null if not reported. */
  times: number | null;
  /** The runtime's name for the pattern. */
  rule: string | null;
  /** Whether the runtime stopped the calls, or called the loop critical. */
  isStopped: boolean;
}

export interface MissingField {
  /** As the settings spell it: `customer.email`. */
  path: string;
  /** The setting that references it: `url`. */
  setting: string;
  /** A field with a similar name that the items do have; null if absent. */
  alike: string | null;
}

export interface StepError {
  /** Class or code, e.g. `GraphRecursionError`, `429`; empty if unknown. */
  type: string;
  message: string;
  /** Whether the span contains the stack of the error; omitted if it does not. */
  isStackRecorded?: true;
  /** The line of the program itself that is nearest to where the error was raised; omitted if no stack shows one. */
  ownFrame?: StackFrame;
}

export interface StackFrame {
  /** Path as recorded. */
  file: string;
  line: number;
  /** Whether this line raised the error; else a library or runtime that it called did. */
  isRaisedHere: boolean;
}

export interface Message {
  /** `system`, `user`, `assistant`, `tool`; other roles as sent. */
  role: string;
  name: string | null;
  content: string;
  toolCalls: ToolCall[];
  /** For a tool result: the call that it answers. */
  toolCallId: string | null;
}

export interface ToolCall {
  id: string | null;
  name: string;
  arguments: Json;
  /** Null if no result is known; text results stay text. */
  result: Json;
}

export interface ToolDefinition {
  name: string;
  description: string;
  /** JSON Schema of the arguments; null if the sender gave none. */
  parameters: Json;
}

export interface RetrievedDocument {
  id: string | null;
  content: string;
  score: number | null;
}

/** Tokens as reported by the sender; null if not reported. `input` includes cached tokens. */
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
  /** Top-level fields that changed since the previous snapshot of the same thread; null for the first. */
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
  /** The preceding checkpoint; null for the first of a thread. */
  parentId: string | null;
  /** Increases by one from parent to child; null if not reported. */
  superstep: number | null;
  /** `input`, `loop`, `update`, `fork`; null if not reported. */
  source: string | null;
  /** Unix milliseconds. */
  atMs: number;
  /** Nodes that ran from here and succeeded. */
  done: string[];
  /** Nodes that ran from here and failed. */
  failed: string[];
  /** False for a checkpoint that another run of the thread wrote. */
  isOwn: boolean;
}

export interface WorkflowGraph {
  nodes: WorkflowNode[];
  edges: { from: string; to: string }[];
  /** Whether the platform runs anything when a run fails; omitted if not reported. */
  hasErrorHandler?: boolean;
}

export interface WorkflowNode {
  name: string;
  type: string;
  /** True if the platform starts here (trigger, start). */
  isEntry: boolean;
  /** Whether it calls a service that may reject the call or be down; omitted if not reported. */
  callsOut?: boolean;
  /** Whether its failure is retried or has a branch of its own; omitted if not reported. */
  isGuarded?: boolean;
  /** Milliseconds that its settings let it pause; omitted if it does not pause for a fixed time. */
  pauseMs?: number;
  /** For a loop: whether anything but the number of rounds ends it; omitted if not reported. */
  hasExit?: boolean;
}
