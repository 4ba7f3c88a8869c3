import { isJsonObject } from '../../core/json.ts';
import type { ReceivedBody } from '../../features/spool/decode-entries.ts';
import { drainSpool, type SpoolBatch } from '../../features/spool/drain-spool.ts';
import { EXIT } from '../exit-code.ts';
import type { IngestIo } from '../io.ts';
import type { IngestOptions } from './ingest-options.ts';
import { type IngestOutcome, spool } from './ingest-outcome.ts';
import { type SendTarget, type SentBody, sendBody } from './send-body.ts';
import { serverSpoolOf } from './server-spool.ts';

/** Maximum duration of a hook, because the agent waits for it. */
const TOTAL_MS = 2_000;
const HOOK_PATH = '/api/v1/traces/cli-agent/ingest';
const TRACES_PATH = '/v1/traces';

type ServerOptions = IngestOptions & { server: string };

/** Sends the body, then spooled records. If the server is unreachable, spools the body. */
export async function sendToServer(
  received: ReceivedBody,
  options: ServerOptions,
  io: IngestIo,
): Promise<IngestOutcome> {
  const deadline = monotonicMs() + (io.serverTimeoutMs ?? TOTAL_MS);
  const folder = await serverSpoolOf(options.dataFolder, options.server);
  // After any error the record is spooled.
  const sent = await sendRecord(received, options, deadline).catch(toUnreachable);
  if (sent.kind === 'rejected')
    return { exitCode: EXIT.usage, message: `${options.server} rejected the body: ${sent.why}` };
  if (sent.kind === 'accepted') {
    await sendSpooled(folder, options, io, deadline);
    return { exitCode: EXIT.clean, message: `sent to ${options.server}` };
  }
  const kept = spool(folder, received, options);
  const exitCode = sent.kind === 'unauthorized' ? EXIT.credentials : kept.exitCode;
  return { exitCode, message: `${options.server}: ${sent.why}; ${kept.message}` };
}

async function sendSpooled(folder: string, options: ServerOptions, io: IngestIo, deadline: number): Promise<void> {
  const sink = async ({ entries }: SpoolBatch) => {
    const sent = await sendSpans(entries, options, deadline);
    // A body that the server will never accept must not block later ones.
    if (sent.kind !== 'accepted' && sent.kind !== 'rejected') throw new Error(sent.why);
  };
  await drainSpool(folder, sink, io.clock.now(), { shouldStop: () => monotonicMs() > deadline });
}

function toUnreachable(error: unknown): SentBody {
  return { kind: 'unreachable', why: error instanceof Error ? error.message : String(error) };
}

/** The record of a hook is sent unchanged; everything else is sent as spans. */
async function sendRecord(received: ReceivedBody, options: ServerOptions, deadline: number): Promise<SentBody> {
  if (isHookCall(received, options)) {
    const sent = await sendBody(HOOK_PATH, received.body, hookHeaders(received, options), toTarget(options, deadline));
    if (sent.kind !== 'rejected' && sent.kind !== 'unknown_path') return sent;
  }
  return sendSpans([received], options, deadline);
}

function isHookCall({ body }: ReceivedBody, { agent }: ServerOptions): boolean {
  try {
    const record: unknown = JSON.parse(Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8'));
    return isJsonObject(record) && (agent !== null || typeof record.hook_event_name === 'string');
  } catch {
    return false;
  }
}

/** A resent record keeps the time at which it was first received, so that it is identical. */
function hookHeaders({ receivedAtMs }: ReceivedBody, { agent }: ServerOptions): Record<string, string> {
  return { 'x-svc-received-at': String(receivedAtMs), ...(agent === null ? {} : { 'x-svc-agent': agent }) };
}

async function sendSpans(
  received: readonly ReceivedBody[],
  options: ServerOptions,
  deadline: number,
): Promise<SentBody> {
  const body = await toOtlp(received);
  if (body === null) return { kind: 'rejected', why: 'the format is unknown' };
  if (body === 'nothing') return { kind: 'accepted' };
  return sendBody(TRACES_PATH, body, {}, toTarget(options, deadline));
}

function toTarget({ server, apiKey }: ServerOptions, deadline: number): SendTarget {
  return { server, apiKey, timeoutMs: Math.max(1, deadline - monotonicMs()) };
}

/** OTLP is sent unchanged; the decoders, which are slow to load, are used for other formats only. */
async function toOtlp(received: readonly ReceivedBody[]): Promise<Uint8Array | 'nothing' | null> {
  const [first] = received;
  const only = received.length === 1 && first?.contentType === null ? first.body : null;
  if (only && isOneOtlpDocument(Buffer.from(only))) return only;
  const { convertToOtlp } = await import('./convert-to-otlp.ts');
  return convertToOtlp(received);
}

/** JSON lines contain a line break directly before a brace; a formatted JSON document does not. */
function isOneOtlpDocument(body: Buffer): boolean {
  return body[0] === 0x7b && body.includes('"resourceSpans"') && !body.includes('\n{');
}

/** Uses `process.hrtime`, because loading `performance` takes longer than all other work of a hook. */
function monotonicMs(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1e3 + nanoseconds / 1e6;
}
