import type { Json } from '../../core/json.ts';
import type { Span } from '../../core/span.ts';
import type {
  Branches,
  CallRefusal,
  Checkpoint,
  CodingSession,
  Compaction,
  ErrorFallback,
  FailedCode,
  FailureSettings,
  HookRun,
  Message,
  MissingField,
  ReportedLoop,
  RetrievedDocument,
  Rounds,
  StartedRun,
  StepError,
  StepKind,
  TokenUsage,
  ToolCall,
  ToolOutcome,
  WorkflowGraph,
} from '../../core/trace.ts';

/**
 * The facts of one span about its step, in our terms. Senders' attribute names are not used beyond this point: a reader
 * maps one family of names to these fields and omits unknown fields.
 */
export interface StepFacts {
  /** Sender's framework, lower case (`langgraph`, `vercel-ai`, …). */
  framework: string;
  kind: StepKind;
  /** The sender's name of the whole run, if it differs from the name of the root span. */
  runName: string;
  agent: string;
  /** Graph node that this span is one visit of; omitted for spans inside a visit. */
  node: string;
  /** Position of the visit in the graph's run; visits of one superstep run in parallel. */
  superstep: number;
  threadId: string;
  sessionId: string;
  checkpointId: string;
  /** The request of the run, from this span's input. */
  task: string;
  model: string;
  provider: string;
  tokens: Partial<TokenUsage>;
  /** Cost as computed by the sender, US dollars. */
  costUsd: number;
  finishReasons: string[];
  input: string;
  output: string;
  inputMessages: Message[];
  outputMessages: Message[];
  tool: ToolCall;
  /** Raw JSON texts, each one tool or a list of tools; `readToolDeclaration` reads them. */
  toolDeclarations: string[];
  documents: RetrievedDocument[];
  goto: string[];
  error: StepError;
  /** Whether the sender reports the failure although it leaves the span status unset. */
  hasFailed: boolean;
  /** State that a node received, the fields it wrote, and the whole state afterwards. */
  stateBefore: Json;
  stateUpdate: Json;
  stateAfter: Json;
  graph: WorkflowGraph;
  /** Working directory of the step. */
  workingDirectory: string;
  checkpoints: Checkpoint[];
  answeredBy: string;
  errorFallback: ErrorFallback;
  failureSettings: FailureSettings;
  rounds: Rounds;
  branches: Branches;
  round: number;
  missingFields: MissingField[];
  failedCode: FailedCode;
  hook: HookRun;
  startedRuns: StartedRun[];
  isInterrupted: boolean;
  reportedLoop: ReportedLoop;
  codingSession: CodingSession;
  toolOutcome: ToolOutcome;
  refusal: CallRefusal;
  messageId: string;
  compaction: Compaction;
  /** Part of `tokens.cacheWrite` that was written with a lifetime of one hour. */
  cacheWriteHourTokens: number;
  /** Whether the output tokens are a lower bound. */
  isUsagePartial: boolean;
  /** Whether the span's times are synthetic: they only keep the order. */
  isTimeSynthetic: boolean;
  /** Whether the span is one turn of a conversation. The first turn is the parent of the others and does not represent them. */
  isTurn: boolean;
  /** Rejected records of the run; `afterMs` is the newest time in the records before the last of them, Unix milliseconds. */
  rejectedRecords: { count: number; afterMs: number };
}

/** Pure; null if the span has no attributes of the reader's family. */
export type FactsReader = (span: Span) => Partial<StepFacts> | null;
