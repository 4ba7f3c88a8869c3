import { agentLogs } from './coding-agents/agent-logs.decoder.ts';
import { hookRecords } from './coding-agents/hook-records.decoder.ts';
import { conversationTurns } from './conversations/conversation.decoder.ts';
import { importRecords } from './imports/import-records.decoder.ts';
import { agentsSdkExport } from './ingest/agents-sdk-decoder.ts';
import { langfuseEvents } from './ingest/langfuse-decoder.ts';
import { langSmithRuns } from './ingest/langsmith-decoder.ts';
import { otlpTraces } from './ingest/otlp-decoder.ts';
import type { BodyDecoder } from './ingest/prepare.ts';
import { platformRuns } from './integrations/platform-runs.decoder.ts';
import { integrationSources, platforms } from './platforms.ts';
import { sessionTranscript } from './spool/session-transcript.decoder.ts';
import { spoolEntries } from './spool/spool-entries.decoder.ts';

/** All body decoders that a worker can run. */
// biome-ignore lint/suspicious/noExplicitAny: a list of decoders of all shapes
export const ingestDecoders: readonly BodyDecoder<any, unknown>[] = [
  otlpTraces,
  conversationTurns,
  agentLogs,
  agentsSdkExport,
  langfuseEvents,
  langSmithRuns,
  hookRecords,
  importRecords,
  spoolEntries,
  sessionTranscript,
  ...integrationSources.map(platformRuns),
  ...platforms.flatMap(({ decoders }) => decoders),
];
