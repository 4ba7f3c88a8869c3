import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { ReceivedBody } from '../../features/spool/decode-entries.ts';
import { drainSpool, type SpoolBatch } from '../../features/spool/drain-spool.ts';
import { EXIT } from '../exit-code.ts';
import type { Io } from '../io.ts';
import type { IngestOptions } from './ingest-options.ts';
import { postTraces, type TracePost } from './post-traces.ts';
import { type IngestOutcome, spool } from './run-ingest.ts';

/** A hook waits no longer, for its agent waits too. */
const TOTAL_MS = 2_000;

type ServerOptions = IngestOptions & { server: string };

/** Sends the body; keeps it for later where the server is not there, and sends what was kept where it is. */
export async function sendToServer(received: ReceivedBody, options: ServerOptions, io: Io): Promise<IngestOutcome> {
  const deadline = performance.now() + TOTAL_MS;
  const folder = serverSpoolOf(options);
  const sent = await send([received], options, deadline);
  if (sent.kind === 'refused')
    return { exitCode: EXIT.usage, message: `${options.server} refused the body: ${sent.why}` };
  if (sent.kind === 'taken') {
    await sendKept(folder, options, io, deadline);
    return { exitCode: EXIT.clean, message: `sent to ${options.server}` };
  }
  const kept = spool(folder, received, options);
  const exitCode = sent.kind === 'locked_out' ? EXIT.credentials : kept.exitCode;
  return { exitCode, message: `${options.server}: ${sent.why}; ${kept.message}` };
}

/** A folder for each server: what was meant for one must not reach another. */
function serverSpoolOf({ dataFolder, server }: ServerOptions): string {
  return join(dataFolder, 'spool-remote', createHash('sha256').update(server).digest('hex').slice(0, 16));
}

async function sendKept(folder: string, options: ServerOptions, io: Io, deadline: number): Promise<void> {
  const sink = async ({ entries }: SpoolBatch) => {
    const sent = await send(entries, options, deadline);
    // What the server will never take must not block what comes after.
    if (sent.kind !== 'taken' && sent.kind !== 'refused') throw new Error(sent.why);
  };
  await drainSpool(folder, sink, io.clock.now(), { shouldStop: () => performance.now() > deadline });
}

async function send(received: readonly ReceivedBody[], options: ServerOptions, deadline: number): Promise<TracePost> {
  const body = await toOtlp(received);
  if (body === null) return { kind: 'refused', why: 'no format that is known' };
  if (body === 'nothing') return { kind: 'taken' };
  const timeoutMs = Math.max(1, deadline - performance.now());
  return postTraces(body, { server: options.server, apiKey: options.apiKey, timeoutMs });
}

/** OTLP goes out as it is; the decoders, which take their time to load, are only for all else. */
async function toOtlp(received: readonly ReceivedBody[]): Promise<Uint8Array | 'nothing' | null> {
  const [first] = received;
  const only = received.length === 1 && first?.contentType === null ? first.body : null;
  if (only && isOneOtlpDocument(Buffer.from(only))) return only;
  const { convertToOtlp } = await import('./convert-to-otlp.ts');
  return convertToOtlp(received);
}

/** A line end before a brace at the margin is how JSON lines look, and no JSON document does. */
function isOneOtlpDocument(body: Buffer): boolean {
  return body[0] === 0x7b && body.includes('"resourceSpans"') && !body.includes('\n{');
}
