import type { Json } from '../../core/json.ts';
import type { Span } from '../../core/span.ts';
import type { StepKind } from '../../core/trace.ts';

/** A span of a coding agent's own telemetry as a step of its session. */
export interface AgentStep {
  kind: Extract<StepKind, 'llm' | 'tool' | 'agent' | 'message'>;
  /** Id of the tool call or of the model's response, which other sources of the session also use. */
  id: string | null;
  /** Attributes that are null are omitted. */
  attributes: Record<string, Json>;
  hasFailed: boolean;
}

/** The OTLP spans of one coding agent. */
export interface SpanTable {
  framework: string;
  /** Whether the agent's program sent a span with this service and scope. */
  isOwn: (serviceName: string, scopeName: string) => boolean;
  /** Attributes of the span, then of the resource, with the session id; the first one present is used. */
  sessionKeys: readonly string[];
  /** Null for a span of the program's own bookkeeping: hooks, files, queues, requests. */
  stepOf: (span: Span) => AgentStep | null;
}
