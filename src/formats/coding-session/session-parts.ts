import type { Json } from '../../core/json.ts';
import type { CallRefusal } from '../../core/trace.ts';

/** The product that wrote the session file. */
export interface SessionSource {
  /** Name in traces: `copilot-cli`. */
  framework: string;
  /** Display name: `Copilot CLI`. */
  product: string;
  /** Instrumentation scope of the spans. */
  scope: string;
  /** Whether the file has no times, so that the decoder assigns synthetic ones to keep the order. */
  isTimeSynthetic?: boolean;
}

/** Facts about the whole session. */
export interface SessionInfo {
  title?: string | null;
  /** Root folder of the project; the working directory if it is unknown. */
  project?: string | null;
  branch?: string | null;
  /** Working directory of the following steps. */
  directory?: string | null;
  /** Session that started this one, or that was copied into it. */
  parentId?: string | null;
  /** The request, if no prompt is among the steps. */
  task?: string | null;
  /** Totals of the session, if no model call has usage. */
  model?: string | null;
  inputTokens?: number | null;
  outputTokens?: number | null;
  costUsd?: number | null;
}

/** Tokens as OpenTelemetry defines them: the input includes cache reads and writes. */
export interface CallUsage {
  input: number | null;
  output: number | null;
  cacheRead?: number | null;
  cacheWrite?: number | null;
  /** Part of the output. */
  reasoning?: number | null;
}

export interface RequestedCall {
  id: string;
  name: string;
  arguments: Json;
}

export interface ModelCall {
  /** Id of the message within the session. */
  key: string;
  startNs: bigint;
  endNs: bigint;
  model: string | null;
  provider?: string | null;
  text: string;
  calls: readonly RequestedCall[];
  usage?: CallUsage | null;
  costUsd?: number | null;
  finishReason?: string | null;
  /** The error that the API returned instead. */
  error?: string | null;
  /** Key of the inner agent that made the call; omitted for the session's own agent. */
  agent?: string | null;
}

export interface ToolRequest extends RequestedCall {
  timeNs: bigint;
  /** Id of the model's message that requested the call. */
  messageId?: string | null;
  agent?: string | null;
}

export interface CallEnd {
  timeNs: bigint;
  /** Start time of the tool, if the file contains it. */
  startNs?: bigint | null;
  result: string;
  /** The program's own flag; omitted if it flags nothing. */
  isError?: boolean | null;
  /** Exit code of the command that the tool ran. */
  exitCode?: number | null;
  /** Error message; the result if omitted. */
  error?: string | null;
  refusal?: CallRefusal | null;
}

export interface CompactionStep {
  key: string;
  timeNs: bigint;
  trigger: string | null;
  tokensBefore: number | null;
  tokensAfter: number | null;
}
