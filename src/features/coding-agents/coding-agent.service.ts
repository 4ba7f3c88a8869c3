import type { Clock } from '../../core/clock.ts';
import type { Rejection } from '../../core/span.ts';
import type { HookFramework } from '../../formats/hooks/hook-framework.ts';
import type { IngestRequest, IngestService } from '../ingest/ingest.service.ts';
import { agentLogs } from './agent-logs.decoder.ts';
import { hookRecords } from './hook-records.decoder.ts';

export interface RecordsReply {
  acceptedRecords: number;
  rejectedRecords: number;
  traceIds: string[];
  /** The first hundred rejected records. */
  errors: Rejection[];
  /** The body was one call of an agent's own hook, which interprets the response as a decision. */
  isHookCall: boolean;
}

export interface LogsReply {
  /** Records that could not be read. */
  rejectedRecords: number;
  errors: Rejection[];
  /** Records without a step of a coding agent. */
  ignoredRecords: number;
}

/** Request metadata of hook records. */
export interface RecordsOrigin {
  /** The agent; null: detected from the record's shape. */
  agent: HookFramework | null;
  /** Unix milliseconds of the first receipt, stable across retries; null: now. */
  receivedAtMs: number | null;
}

export interface CodingAgentService {
  /**
   * Stores a JSON body of hook records, one or a list. Resolves after the commit. @throws AppError `invalid_body` if none can be read,
   * and the errors of ingest
   */
  ingestRecords(tenantId: string, body: Buffer, origin: RecordsOrigin): Promise<RecordsReply>;
  /** Stores the coding agent events of an OTLP logs body. Resolves after the commit. @throws the errors of ingest */
  ingestLogs(tenantId: string, request: IngestRequest): Promise<LogsReply>;
}

export function createCodingAgentService({
  ingest,
  clock,
}: {
  ingest: Pick<IngestService, 'ingestBody'>;
  clock: Clock;
}): CodingAgentService {
  return {
    async ingestRecords(tenantId, body, { agent, receivedAtMs }) {
      const params = { agent, receivedAtMs: receivedAtMs ?? clock.now() };
      const { traceIds, errors, facts } = await ingest.ingestBody(tenantId, hookRecords, body, params);
      const { accepted, rejected, isHookCall } = facts;
      return { traceIds, errors, acceptedRecords: accepted, rejectedRecords: rejected, isHookCall };
    },
    async ingestLogs(tenantId, { encoding, body }) {
      const params = { encoding, receivedAtMs: clock.now() };
      const { rejectedSpans, errors, facts } = await ingest.ingestBody(tenantId, agentLogs, body, params);
      return { rejectedRecords: rejectedSpans, errors, ignoredRecords: facts.ignoredRecords };
    },
  };
}
