import { decodeAgentEvents } from '../../formats/agent-events/decode-agent-events.ts';
import { decodeLogsJson } from '../../formats/otlp/decode-logs-json.ts';
import { decodeLogsProtobuf } from '../../formats/otlp/decode-logs-protobuf.ts';
import type { BodyDecoder } from '../ingest/prepare.ts';

export interface AgentLogsParams {
  encoding: 'json' | 'protobuf';
  /** Unix milliseconds. */
  receivedAtMs: number;
}

/** OTLP's `ExportLogsServiceRequest`, records of coding agent sessions only. */
export const agentLogs: BodyDecoder<AgentLogsParams, { ignoredRecords: number }> = {
  name: 'agent-logs',
  decode(body, { encoding, receivedAtMs }) {
    const { records, rejections } = encoding === 'json' ? decodeLogsJson(body) : decodeLogsProtobuf(body);
    const { spans, ignored, rejections: more } = decodeAgentEvents(records, receivedAtMs);
    return { spans, rejections: [...rejections, ...more], facts: { ignoredRecords: ignored } };
  },
};
