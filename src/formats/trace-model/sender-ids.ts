import type { Attributes, Span } from '../../core/span.ts';
import type { SenderId } from '../../core/trace.ts';
import { MISSTEP } from '../misstep/attributes.ts';

/** Names of the ids of a run whose decoder derives the trace id from its record id. */
const RECORD_NAMES: Readonly<Record<string, string>> = { n8n: 'execution', dify: 'workflow run' };

/** The ids under which the sender knows the run of a root span; empty if it sent the trace id itself. */
export function senderIdsOf({ scope, attributes }: Span): SenderId[] {
  if (scope.name === 'langgraph-server')
    return idsIn(attributes, { run_id: 'langgraph.run_id', thread_id: 'langgraph.thread_id' });
  const recordName = RECORD_NAMES[String(attributes[MISSTEP.framework])];
  if (recordName !== undefined) return idsIn(attributes, { [recordName]: MISSTEP.recordId });
  return idsIn(attributes, { session: MISSTEP.sessionId });
}

/** @param keys the attribute of each name */
function idsIn(attributes: Attributes, keys: Readonly<Record<string, string>>): SenderId[] {
  return Object.entries(keys).flatMap(([name, key]) => {
    const id = attributes[key];
    return typeof id === 'string' && id !== '' ? [{ name, id }] : [];
  });
}
