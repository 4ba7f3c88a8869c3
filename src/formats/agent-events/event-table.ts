import type { Span } from '../../core/span.ts';
import type { AgentEvent } from './agent-event.ts';

/** How one coding agent names its log events, and the spans that each event gives. */
export interface EventTable {
  framework: string;
  /** Prefixes of its event names. */
  prefixes: readonly string[];
  /** Attributes that hold the session's id, the first present one counts. */
  sessionKeys: readonly string[];
  /** Whether event names without a prefix from this scope or service are the agent's. */
  isOwnScope: (scopeName: string, serviceName: string | null) => boolean;
  /** By event name without prefix. An event that is not listed gives no span. */
  events: Readonly<Record<string, (event: AgentEvent) => Span[]>>;
}
