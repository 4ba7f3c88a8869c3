import type { Json } from '../../core/json.ts';
import type { Span } from '../../core/span.ts';
import type {
  CallRefusal,
  Checkpoint,
  CodingSession,
  Compaction,
  Message,
  MissingField,
  ReportedLoop,
  RetrievedDocument,
  Rounds,
  StepError,
  StepKind,
  Takeover,
  TokenUsage,
  ToolCall,
  ToolOutcome,
  WorkflowGraph,
} from '../../core/trace.ts';

/**
 * What one span says about its step, in our words. Senders' attribute names end here: a reader maps one family of
 * names to these fields and leaves out what its family does not say.
 */
export interface StepFacts {
  /** Sender's framework, lower case (`langgraph`, `vercel-ai`, …). */
  framework: string;
  kind: StepKind;
  /** What the sender calls the whole run, where it differs from the root span's name. */
  runName: string;
  agent: string;
  /** Graph node this span is one visit of; spans inside a visit leave it out. */
  node: string;
  /** Position of the visit in the graph's run; visits of one superstep ran side by side. */
  superstep: number;
  threadId: string;
  sessionId: string;
  checkpointId: string;
  /** What the run was asked, read off this span's input. */
  task: string;
  model: string;
  provider: string;
  tokens: Partial<TokenUsage>;
  /** Cost the sender itself worked out, US dollars. */
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
  /** The sender reports the failure beside a span status that it leaves unset. */
  hasFailed: boolean;
  /** State a node was given, the fields it wrote, and the whole state afterwards. */
  stateBefore: Json;
  stateUpdate: Json;
  stateAfter: Json;
  graph: WorkflowGraph;
  /** Folder the step worked in. */
  workingDirectory: string;
  checkpoints: Checkpoint[];
  answeredBy: string;
  takenOverBy: Takeover;
  rounds: Rounds;
  round: number;
  missingFields: MissingField[];
  isInterrupted: boolean;
  reportedLoop: ReportedLoop;
  codingSession: CodingSession;
  toolOutcome: ToolOutcome;
  refusal: CallRefusal;
  messageId: string;
  compaction: Compaction;
  /** Part of `tokens.cacheWrite` that was written with a lifetime of one hour. */
  cacheWriteHourTokens: number;
  /** The span's times only keep it in order: they say nothing about when and how long. */
  isTimeMadeUp: boolean;
  /** The span is one turn of a conversation: the first turn holds the others together and does not stand for them. */
  isTurn: boolean;
}

/** Pure; null if the span carries nothing of the reader's family. */
export type FactsReader = (span: Span) => Partial<StepFacts> | null;
