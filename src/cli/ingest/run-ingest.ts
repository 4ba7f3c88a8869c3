import type { ReceivedBody } from '../../features/spool/decode-entries.ts';
import { hookContentType } from '../../features/spool/hook-content-type.ts';
import { spoolFolderOf } from '../../features/spool/spool-name.ts';
import { EXIT } from '../exit-code.ts';
import { recordHookCall } from '../hooks/hook-calls.ts';
import type { IngestIo } from '../io.ts';
import type { IngestOptions } from './ingest-options.ts';
import { type IngestOutcome, spool } from './ingest-outcome.ts';
import { readBody } from './read-body.ts';

const MAX_BYTES = 64 * 1024 * 1024;

/** Ingests standard input: into the local spool, or to a server and on failure into that server's spool. */
export async function ingestInput(options: IngestOptions, io: IngestIo): Promise<IngestOutcome> {
  if (io.stdin.isTTY) return { exitCode: EXIT.usage, message: 'no input: pipe a record to standard input' };
  const body = await readBody(io.stdin, MAX_BYTES);
  if (body === null) return { exitCode: EXIT.usage, message: `the input is longer than ${MAX_BYTES} bytes` };
  if (body.length === 0) return { exitCode: EXIT.usage, message: 'the input is empty' };
  // The time is set once, so that a retry sends the same record.
  const received = { body, receivedAtMs: io.clock.now(), contentType: contentTypeOf(options) };
  if (options.agent !== null) recordHookCall(options.dataFolder, options.agent, received.receivedAtMs);
  const outcome = await spoolOrSend(received, options, io);
  if (options.hasFeedback) await giveFeedback(received, options, io);
  return outcome;
}

async function spoolOrSend(received: ReceivedBody, options: IngestOptions, io: IngestIo): Promise<IngestOutcome> {
  const { server } = options;
  if (server === null) return spool(spoolFolderOf(options.dataFolder), received, options);
  const { sendToServer } = await import('./send-to-server.ts');
  return sendToServer(received, { ...options, server }, io);
}

/** A warning is optional: if it fails, the agent gets none. */
async function giveFeedback({ body, receivedAtMs }: ReceivedBody, options: IngestOptions, io: IngestIo): Promise<void> {
  try {
    const { respondToHook: answerHook } = await import('../feedback/respond-to-hook.ts');
    const answer = answerHook(Buffer.from(body), { ...options, nowMs: receivedAtMs });
    if (answer !== null) io.stdout.write(`${answer}\n`);
  } catch {
    // No warning.
  }
}

function contentTypeOf({ agent }: IngestOptions): string | null {
  return agent === null ? null : hookContentType(agent);
}
