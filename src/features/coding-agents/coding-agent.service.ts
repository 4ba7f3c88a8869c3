import type { Clock } from '../../core/clock.ts';
import type { Refusal } from '../../core/span.ts';
import type { HookFramework } from '../../formats/hooks/hook-framework.ts';
import type { IngestRequest, IngestService } from '../ingest/ingest.service.ts';
import { agentLogs } from './agent-logs.decoder.ts';
import { hookRecords } from './hook-records.decoder.ts';

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
   * Stores a JSON body of hook records, one or a list. Resolves after the commit. @throws AppError `invalid_body` where none can be read,
   * and what ingest throws
   */
  takeRecords(tenantId: string, body: Buffer, origin: RecordsOrigin): Promise<RecordsReply>;
  /** Stores what an OTLP logs body tells of coding agents' sessions. Resolves after the commit. @throws what ingest throws */
  takeLogs(tenantId: string, request: IngestRequest): Promise<LogsReply>;
}

export function createCodingAgentService({
  ingest,
  clock,
}: {
  ingest: Pick<IngestService, 'ingestBody'>;
  clock: Clock;
}): CodingAgentService {
  return {
    async takeRecords(tenantId, body, { agent, receivedAtMs }) {
      const params = { agent, receivedAtMs: receivedAtMs ?? clock.now() };
      const { traceIds, errors, facts } = await ingest.ingestBody(tenantId, hookRecords, body, params);
      const { accepted, rejected, isHookCall } = facts;
      return { traceIds, errors, acceptedRecords: accepted, rejectedRecords: rejected, isHookCall };
    },
    async takeLogs(tenantId, { encoding, body }) {
      const params = { encoding, receivedAtMs: clock.now() };
      const { rejectedSpans, errors, facts } = await ingest.ingestBody(tenantId, agentLogs, body, params);
      return { rejectedRecords: rejectedSpans, errors, ignoredRecords: facts.ignoredRecords };
    },
  };
}
