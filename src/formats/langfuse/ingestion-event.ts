import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';
import { LANGFUSE_KINDS } from '../conventions/langfuse.ts';
import { readTimestampNs } from '../trail/iso-time.ts';

/** One event of `POST /api/public/ingestion`: the members that all events have. */
export interface IngestionEvent {
  id: string;
  /** Subject of the event: a trace, an observation, or something that is not part of a run. */
  subject: 'trace' | 'observation' | 'other';
  isUpdate: boolean;
  /** Type of the observation, lower case; empty for other subjects. */
  observationType: string;
  timestampNs: bigint;
  body: JsonObject;
}

/** Why an event, or a field of it, cannot be read. `pointer` is relative to the event. */
export interface EventFault {
  pointer: string;
  message: string;
}

const MAX_ID = 128;
const OTHER_TYPES: readonly string[] = ['score-create', 'sdk-log', 'dataset-run-item-create'];
const EVENT_TYPE = /^([a-z]{1,20})-(create|update)$/;

export function readEvent(value: Json): IngestionEvent | EventFault {
  if (!isJsonObject(value)) return { pointer: '', message: 'must be an object' };
  const { id, type, timestamp, body } = value;
  if (typeof id !== 'string' || id === '') return { pointer: '/id', message: 'must be a non-empty string' };
  if (typeof type !== 'string') return { pointer: '/type', message: 'must be a string' };
  if (!isJsonObject(body)) return { pointer: '/body', message: 'must be an object' };
  const timestampNs = typeof timestamp === 'string' ? readTimestampNs(timestamp) : null;
  if (timestampNs === null) return { pointer: '/timestamp', message: 'must be an RFC 3339 time' };
  const about = subjectOf(type, body);
  if (about === null) return { pointer: '/type', message: 'is not an event type of the ingestion API' };
  return { id, timestampNs, body, ...about };
}

type Subject = Pick<IngestionEvent, 'subject' | 'isUpdate' | 'observationType'>;

/** `span-create`, `generation-update`, …; `observation-create` has the type in its body. */
function subjectOf(type: string, body: JsonObject): Subject | null {
  if (OTHER_TYPES.includes(type)) return { subject: 'other', isUpdate: false, observationType: '' };
  const [, word = '', verb] = EVENT_TYPE.exec(type) ?? [];
  if (word === 'trace' && verb === 'create') return { subject: 'trace', isUpdate: false, observationType: '' };
  const named = word === 'observation' && typeof body.type === 'string' ? body.type.toLowerCase() : word;
  if (!Object.hasOwn(LANGFUSE_KINDS, named)) return null;
  return { subject: 'observation', isUpdate: verb === 'update', observationType: named };
}

/** The id under a name of the body; a fault if it is missing or too long. */
export function idIn(body: JsonObject, name: string): string | EventFault {
  const id = body[name];
  if (typeof id === 'string' && id !== '' && id.length <= MAX_ID) return id;
  return { pointer: `/body/${name}`, message: `must be a string of 1 to ${MAX_ID} characters` };
}

/** The time under a name of the body; null if it is missing. */
export function timeIn(body: JsonObject, name: string): bigint | null | EventFault {
  const time = body[name];
  if (time === undefined || time === null) return null;
  const ns = typeof time === 'string' ? readTimestampNs(time) : null;
  return ns ?? { pointer: `/body/${name}`, message: 'must be an RFC 3339 time' };
}

export function isFault(value: unknown): value is EventFault {
  return typeof value === 'object' && value !== null && 'pointer' in value;
}
