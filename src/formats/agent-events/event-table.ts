import type { Span } from '../../core/span.ts';
import type { AgentEvent } from './agent-event.ts';

/** The log event names of one coding agent, and the spans for each event. */
export interface EventTable {
  framework: string;
  /** Prefixes of its event names. */
  prefixes: readonly string[];
  /** Attributes with the session id; the first one present is used. */
  sessionKeys: readonly string[];
  /** Whether this scope or service sends event names without a prefix. */
  isOwnScope: (scopeName: string, serviceName: string | null) => boolean;
  /** By event name without prefix. An event that is not listed gives no span. */
  events: Readonly<Record<string, (event: AgentEvent) => Span[]>>;
}
