import type { Json } from '../../core/json.ts';
import type { CallRefusal } from '../../core/trace.ts';

/** Which product wrote the session file. */
export interface SessionSource {
  /** As traces call it: `copilot-cli`. */
  framework: string;
  /** As people call it: `Copilot CLI`. */
  product: string;
  /** Instrumentation scope of the spans. */
  scope: string;
  /** The file has no times, so the decoder made them up to keep the order. */
  isTimeSynthetic?: boolean;
}

/** What is known about the whole session. */
export interface SessionInfo {
  title?: string | null;
  /** Root folder of the project; the working directory where it is not known. */
  project?: string | null;
  branch?: string | null;
  /** Working directory of the steps that follow. */
  directory?: string | null;
  /** Session that started or was copied into this one. */
  parentId?: string | null;
  /** The request, where no prompt is among the steps. */
  task?: string | null;
  /** Totals of the session, where no model call has any. */
  model?: string | null;
  inputTokens?: number | null;
  outputTokens?: number | null;
  costUsd?: number | null;
}

/** Tokens as OpenTelemetry counts them: the input includes what was read from and written to the cache. */
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
  /** What the API answered instead. */
  error?: string | null;
  /** Key of the inner agent that called; left out for the session's own agent. */
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
  /** Where the file states when the tool began to run. */
  startNs?: bigint | null;
  result: string;
  /** The program's own flag; omitted if it flags nothing. */
  isError?: boolean | null;
  /** Exit code of the command that the tool ran. */
  exitCode?: number | null;
  /** Message of the failure; the result where left out. */
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
