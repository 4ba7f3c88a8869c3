import { AppError } from '../../core/app-error.ts';
import type { Clock } from '../../core/clock.ts';
import type { Json } from '../../core/json.ts';
import type { Refusal } from '../../core/span.ts';
import { decodeAgentEvents } from '../../formats/claude-code/decode-events.ts';
import { decodeRecords } from '../../formats/hooks/decode-records.ts';
import type { HookFramework } from '../../formats/hooks/hook-event.ts';
import { decodeLogsJson } from '../../formats/otlp/decode-logs-json.ts';
import { decodeLogsProtobuf } from '../../formats/otlp/decode-logs-protobuf.ts';
import type { IngestReply, IngestRequest, IngestService } from '../ingest/ingest.service.ts';

export interface RecordsReply {
  acceptedRecords: number;
  rejectedRecords: number;
  traceIds: string[];
  /** The first hundred refusals. */
  errors: Refusal[];
  /** The body was one call of an agent's own hook, which reads the answer as a decision. */
  isHookCall: boolean;
}

export interface LogsReply {
  /** Records that could not be read. */
  rejectedRecords: number;
  errors: Refusal[];
  /** Records that tell of no step of a coding agent. */
  ignoredRecords: number;
}

/** What the sender says of its records beside them. */
export interface RecordsOrigin {
  /** Whose hook it was; null: the record's looks tell. */
  agent: HookFramework | null;
  /** Unix milliseconds of the first receipt, the same however often the records are sent; null: now. */
  receivedAtMs: number | null;
}

export interface CodingAgentService {
  /**
   * Stores hook records, one or a list. Resolves after the commit. @throws AppError `invalid_body` where none can be read,
   * and what ingest throws
   */
  takeRecords(tenantId: string, body: Json, origin: RecordsOrigin): Promise<RecordsReply>;
  /** Stores what an OTLP logs body tells of coding agents' sessions. Resolves after the commit. @throws what ingest throws */
  takeLogs(tenantId: string, request: IngestRequest): Promise<LogsReply>;
}

export function createCodingAgentService({
  ingest,
  clock,
}: {
  ingest: Pick<IngestService, 'ingestLive'>;
  clock: Clock;
}): CodingAgentService {
  return {
    async takeRecords(tenantId, body, { agent, receivedAtMs }) {
      let decoded = null as ReturnType<typeof decodeRecords> | null;
      const reply = await ingest.ingestLive(tenantId, () => {
        decoded = decodeRecords(body, receivedAtMs ?? clock.now(), agent);
        refuseWhereNothingIsTaken(decoded);
        return decoded;
      });
      const { accepted, rejected, isHookCall } = decoded!;
      return { ...told(reply), acceptedRecords: accepted, rejectedRecords: rejected, isHookCall };
    },
    async takeLogs(tenantId, { encoding, body }) {
      let ignoredRecords = 0;
      const reply = await ingest.ingestLive(tenantId, () => {
        const { records, refusals } = encoding === 'json' ? decodeLogsJson(body) : decodeLogsProtobuf(body);
        const { spans, ignored, refusals: more } = decodeAgentEvents(records, clock.now());
        ignoredRecords = ignored;
        return { spans, refusals: [...refusals, ...more] };
      });
      return { rejectedRecords: reply.rejectedSpans, errors: reply.errors, ignoredRecords };
    },
  };
}

function told({ traceIds, errors }: IngestReply): Pick<RecordsReply, 'traceIds' | 'errors'> {
  return { traceIds, errors };
}

function refuseWhereNothingIsTaken({ accepted, rejected, refusals }: ReturnType<typeof decodeRecords>): void {
  if (accepted > 0 || rejected === 0) return;
  throw new AppError('invalid_body', 'No record can be taken.', { errors: refusals });
}
