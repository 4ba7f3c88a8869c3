import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';
import { mergeSpans } from '../../core/merge-spans.ts';
import type { Attributes, Decoded, Rejection, Span } from '../../core/span.ts';
import { MISSTEP } from '../misstep/attributes.ts';
import { derivedId, SPAN_ID_DIGITS } from '../misstep/derived-id.ts';
import { observationAttributes, traceAttributes } from './event-attributes.ts';
import { type EventFault, type IngestionEvent, idIn, isFault, readEvent, timeIn } from './ingestion-event.ts';

const ROOT_UPDATE: Attributes = { 'langfuse.observation.type': 'span', [MISSTEP.spanPart]: 'update' };
const SCOPE = { name: 'langfuse', version: '' };

/** Result for each event of a batch, for the response. */
export interface EventOutcomes {
  /** Ids of the accepted events. */
  taken: string[];
  /** Rejected events; the id is empty if the event has none. */
  rejected: { id: string; pointer: string; message: string }[];
}

/** Whether a value looks like the body of `POST /api/public/ingestion`. */
export function isEventBatch(value: Json | undefined): value is JsonObject & { batch: Json[] } {
  if (!isJsonObject(value) || !Array.isArray(value.batch)) return false;
  const [first] = value.batch;
  return first === undefined || (isJsonObject(first) && typeof first.type === 'string' && isJsonObject(first.body));
}

/**
 * Events of Langfuse's ingestion API as parts of spans: a trace is a root span with its observations below it. The store
 * joins parts of a span from later batches. An unreadable event only affects itself.
 */
export function decodeEvents(batch: readonly Json[]): Decoded & { outcomes: EventOutcomes } {
  const outcomes: EventOutcomes = { taken: [], rejected: [] };
  const rejections: Rejection[] = [];
  const parts: TimedPart[] = [];
  for (const [at, value] of batch.entries()) {
    const event = readEvent(value);
    const span = isFault(event) ? event : partOf(event);
    if (isFault(event) || isFault(span)) {
      const { pointer, message } = span as EventFault;
      const id = isJsonObject(value) && typeof value.id === 'string' ? value.id : '';
      outcomes.rejected.push({ id, pointer: `/batch/${at}${pointer}`, message });
      rejections.push({ pointer: `/batch/${at}${pointer}`, message });
      continue;
    }
    outcomes.taken.push(event.id);
    if (span !== null) parts.push({ span, timestampNs: event.timestampNs });
  }
  return { spans: joinParts(parts), rejections, outcomes };
}

interface TimedPart {
  span: Span;
  timestampNs: bigint;
}

/** In the order in which the sender created them; the order of the batch is ignored. */
function joinParts(parts: TimedPart[]): Span[] {
  parts.sort((one, other) => Number(one.timestampNs - other.timestampNs));
  const traces = new Map<string, Span[]>();
  for (const { span } of parts) {
    const known = traces.get(span.traceId);
    if (known === undefined) traces.set(span.traceId, [span]);
    else known.push(span);
  }
  return [...traces].flatMap(([traceId, spans]) => withRoot(traceId, mergeSpans(spans)));
}

/** Null for an event that is not part of a run. */
function partOf({ subject, isUpdate, observationType, timestampNs, body }: IngestionEvent): Span | EventFault | null {
  if (subject === 'other') return null;
  const id = idIn(body, 'id');
  if (isFault(id)) return id;
  if (subject === 'trace') return tracePart(id, body, timestampNs);
  // Creating an observation without a trace creates a trace; an update must name its trace.
  const traceId = body.traceId == null && !isUpdate ? id : idIn(body, 'traceId');
  const startNs = timeIn(body, 'startTime');
  const endNs = timeIn(body, 'endTime');
  const fault = [traceId, startNs, endNs].find(isFault);
  if (fault !== undefined) return fault;
  const begunNs = (startNs as bigint | null) ?? (isUpdate ? 0n : timestampNs);
  return {
    ...emptySpan(traceId as string, id),
    parentSpanId: parentOf(body) ?? rootIdOf(traceId as string),
    name: nameOf(body, isUpdate ? '' : observationType),
    startNs: begunNs,
    endNs: observationType === 'event' ? begunNs : (endNs as bigint | null),
    attributes: { ...observationAttributes(observationType, body), [MISSTEP.spanPart]: isUpdate ? 'update' : 'begin' },
  };
}

/** Every event of a trace identifies the trace and may add facts. */
function tracePart(traceId: string, body: JsonObject, timestampNs: bigint): Span | EventFault {
  const startNs = timeIn(body, 'timestamp');
  if (isFault(startNs)) return startNs;
  return {
    ...emptySpan(traceId, rootIdOf(traceId)),
    name: nameOf(body, ''),
    startNs: startNs ?? timestampNs,
    endNs: body.output == null ? null : timestampNs,
    attributes: { ...traceAttributes(body), 'langfuse.observation.type': 'span', [MISSTEP.spanPart]: 'joined' },
  };
}

/**
 * No event reports the end of a trace. It has ended if it has an output, or if an observation directly below it has ended
 * and this batch leaves none open. Otherwise the latest known time is the assumed end.
 */
function withRoot(traceId: string, spans: Span[]): Span[] {
  const rootId = rootIdOf(traceId);
  const rootSpan = spans.find(({ spanId }) => spanId === rootId);
  const observations = spans.filter((span) => span !== rootSpan);
  const startedObservations = observations.filter(({ attributes }) => attributes[MISSTEP.spanPart] !== 'update');
  const isOpen = startedObservations.some(({ endNs }) => endNs === null);
  const isTopDone = startedObservations.some(({ parentSpanId }) => parentSpanId === rootId);
  const times = spans.flatMap(({ startNs, endNs }) => [startNs, endNs ?? 0n]);
  const endNs = times.reduce((last, time) => (time > last ? time : last), 0n);
  const hasEnded = !isOpen && (isTopDone || (rootSpan?.endNs ?? null) !== null);
  const root: Span = {
    ...(rootSpan ?? { ...emptySpan(traceId, rootId), attributes: ROOT_UPDATE }),
    endNs: endNs === 0n ? null : endNs,
  };
  root.attributes = { ...root.attributes, [MISSTEP.isEndAssumed]: !hasEnded };
  return [root, ...observations];
}

function emptySpan(traceId: string, spanId: string): Span {
  return {
    traceId,
    spanId,
    parentSpanId: null,
    name: '',
    kind: 1,
    startNs: 0n,
    endNs: null,
    status: { code: 0, message: '' },
    attributes: {},
    events: [],
    links: [],
    resource: {},
    scope: SCOPE,
  };
}

function rootIdOf(traceId: string): string {
  return derivedId(SPAN_ID_DIGITS, 'langfuse', traceId);
}

function parentOf({ parentObservationId }: JsonObject): string | null {
  return typeof parentObservationId === 'string' && parentObservationId !== '' ? parentObservationId : null;
}

function nameOf({ name }: JsonObject, otherwise: string): string {
  return typeof name === 'string' && name !== '' ? name : otherwise;
}
