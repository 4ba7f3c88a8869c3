import type { Json } from '../../core/json.ts';
import type { Span } from '../../core/span.ts';
import type { StepKind } from '../../core/trace.ts';

/** What a span of a coding agent's own telemetry means as a step of its session. */
export interface AgentStep {
  kind: Extract<StepKind, 'llm' | 'tool' | 'agent' | 'message'>;
  /** Id of the tool call, or of the model's response, that other sources of the session name as well. */
  id: string | null;
  /** Attributes that are null are omitted. */
  attributes: Record<string, Json>;
  hasFailed: boolean;
}

/** How one coding agent sends OTLP spans. */
export interface SpanTable {
  framework: string;
  /** Whether the agent's program sent a span of this service and scope. */
  isOwn: (serviceName: string, scopeName: string) => boolean;
  /** Attributes of the span, then of the resource, that hold the session's id; the first that is present counts. */
  sessionKeys: readonly string[];
  /** Null for a span of the program's own bookkeeping: its hooks, files, queues, requests. */
  stepOf: (span: Span) => AgentStep | null;
}
