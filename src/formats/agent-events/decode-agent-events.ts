import type { Decoded, Span } from '../../core/span.ts';
import type { LogRecord } from '../otlp/log-record.ts';
import { AgentEvent, textAt } from './agent-event.ts';
import { CLAUDE_CODE_EVENTS } from './claude-code.ts';
import { CODEX_EVENTS } from './codex.ts';
import type { EventTable } from './event-table.ts';
import { GEMINI_EVENTS, QWEN_EVENTS } from './gemini-family.ts';

const TABLES: readonly EventTable[] = [CLAUDE_CODE_EVENTS, CODEX_EVENTS, GEMINI_EVENTS, QWEN_EVENTS];

export interface DecodedEvents extends Decoded {
  /** Records of other programs, and events without a step. */
  ignored: number;
}

/**
 * Log events of coding agents as spans of their session's trace, which is also the trace of its hooks. Records of other
 * programs are counted and ignored.
 *
 * @param receivedAtMs Unix milliseconds, for records without a time
 */
export function decodeAgentEvents(records: readonly LogRecord[], receivedAtMs: number): DecodedEvents {
  const decoded: DecodedEvents = { spans: [], rejections: [], ignored: 0 };
  for (const record of records) {
    const known = eventOf(record);
    if (known === null) {
      decoded.ignored += 1;
      continue;
    }
    const { framework, sessionKeys } = known.table;
    const sessionId = sessionKeys.map((key) => textAt(record.attributes, key)).find((id) => id !== null);
    if (sessionId === undefined)
      decoded.rejections.push({
        pointer: `${record.pointer}/attributes`,
        message: `${sessionKeys.join(' or ')} must be a text`,
      });
    else decoded.spans.push(...known.make(new AgentEvent(framework, sessionId, record, receivedAtMs)));
  }
  return decoded;
}

interface KnownEvent {
  table: EventTable;
  make: (event: AgentEvent) => Span[];
}

function eventOf(record: LogRecord): KnownEvent | null {
  for (const table of TABLES) {
    const name = nameIn(table, record);
    if (name === null) continue;
    const make = Object.hasOwn(table.events, name) ? table.events[name] : undefined;
    return make === undefined ? null : { table, make };
  }
  return null;
}

/**
 * The name of an agent's event without prefix: from the record, from `event.name`, or from the body, depending on the
 * version.
 */
function nameIn(table: EventTable, { eventName, attributes, body, resource, scope }: LogRecord): string | null {
  const names = [eventName, textAt(attributes, 'event.name'), typeof body === 'string' ? body : null];
  for (const prefix of table.prefixes) {
    const prefixed = names.find((name) => name?.startsWith(prefix));
    if (prefixed) return prefixed.slice(prefix.length);
  }
  if (!table.isOwnScope(scope.name, textAt(resource, 'service.name'))) return null;
  return names.find((name) => name !== null && name !== '') ?? null;
}
