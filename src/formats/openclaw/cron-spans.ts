import { PLACEHOLDER_ERROR } from '../../core/decoder-error.ts';
import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';
import type { Span } from '../../core/span.ts';
import { isFailureAlert, runAtOf } from './cron-run.ts';
import { type Session, sessionPart } from './event-spans.ts';
import { makeSpan, markEnded, sessionSpanId } from './session-span.ts';
import { textIn } from './text-in.ts';
import { usageAttributes } from './transcript-message.ts';

/**
 * The run below its session.
 * @param atMs used if the run has no time
 */
export function cronSpans(value: JsonObject, session: Session, atMs: number): Span[] {
  const job = isJsonObject(value.job) ? value.job : {};
  session.agent ??= textIn(job, 'agentId');
  const startMs = runAtOf(value) ?? atMs;
  const { durationMs } = value;
  const endMs = startMs + (typeof durationMs === 'number' && durationMs > 0 && durationMs < 1e11 ? durationMs : 0);
  const isAlert = isFailureAlert(value);
  const status = isAlert ? 'error' : (value.status as string);
  const message = textIn(value, 'error') ?? (isAlert ? textIn(value, 'message') : null);
  const name = textIn(value, 'jobName') ?? textIn(job, 'name') ?? 'cron job';
  const span = makeSpan(
    session.id,
    {
      spanId: sessionSpanId(session.id, 'cron', value.jobId as string, String(runAtOf(value) ?? '')),
      kind: 'chain',
      name,
      startMs,
      endMs,
      status:
        status === 'error'
          ? { code: 2, message: message ?? PLACEHOLDER_ERROR.job }
          : { code: status === 'ok' ? 1 : 0, message: '' },
    },
    {
      'output.value': textIn(value, 'summary'),
      'gen_ai.request.model': textIn(value, 'model'),
      'gen_ai.provider.name': textIn(value, 'provider'),
      ...usageAttributes(usageOf(value.usage)),
      'error.type': status === 'error' ? 'cron' : null,
      'openclaw.cron.job_id': value.jobId as string,
      'openclaw.cron.status': status,
      'openclaw.cron.reason': status === 'error' ? null : message,
    },
  );
  const root = sessionPart(session, { startMs: null, endMs }, value);
  markEnded(root);
  return [root, span];
}

/** Cron uses the token names of model APIs. */
function usageOf(usage: Json | undefined): Json {
  if (!isJsonObject(usage)) return null;
  return {
    input: usage.input_tokens ?? usage.input ?? null,
    output: usage.output_tokens ?? usage.output ?? null,
    cacheRead: usage.cache_read_tokens ?? usage.cacheRead ?? null,
    cacheWrite: usage.cache_write_tokens ?? usage.cacheWrite ?? null,
    totalTokens: usage.total_tokens ?? usage.total ?? null,
  };
}
