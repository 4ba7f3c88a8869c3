import { gzipSync } from 'node:zlib';
import { plainLine } from '../../core/plain-text.ts';
import { VERSION } from '../../core/version.ts';
import type { Series } from './series.ts';

export interface DatadogEndpoint {
  /** `https://api.<site>`. */
  baseUrl: string;
  apiKey: string;
  /** Host name sent with the points. */
  host: string;
}

export type SeriesOutcome =
  | { kind: 'accepted' }
  /** Rejected as a whole; a retry would not help. */
  | { kind: 'refused'; reason: string }
  | { kind: 'too_large'; reason: string }
  /** Not accepted; may be retried after this many seconds. */
  | { kind: 'limited'; reason: string; afterSeconds: number }
  | { kind: 'unreachable'; reason: string }
  /** Outcome unknown: it may have been accepted. */
  | { kind: 'unknown'; reason: string };

/** Never throws. */
export type SendSeries = (series: readonly Series[]) => Promise<SeriesOutcome>;

const TIMEOUT_MS = 15_000;
const DEFAULT_PAUSE_SECONDS = 60;
const MAX_REASON = 200;
/** The connection failed, so nothing was sent. */
const NEVER_SENT = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);

/** Source: docs.datadoghq.com/api/latest/metrics/submit-metrics, version 2. */
export function createSendSeries({ baseUrl, apiKey }: DatadogEndpoint, timeoutMs = TIMEOUT_MS): SendSeries {
  return async (series) => {
    try {
      const response = await fetch(`${baseUrl}/api/v2/series`, {
        method: 'POST',
        headers: {
          'DD-API-KEY': apiKey,
          'Content-Type': 'application/json',
          'Content-Encoding': 'gzip',
          'User-Agent': `Misstep/${VERSION}`,
        },
        body: gzipSync(JSON.stringify({ series })),
        // The key must not be sent to the target of a redirect.
        redirect: 'manual',
        signal: AbortSignal.timeout(timeoutMs),
      });
      return await outcomeOf(response);
    } catch (error) {
      const code = codeOf(error);
      const kind = NEVER_SENT.has(code) ? 'unreachable' : 'unknown';
      return { kind, reason: `Datadog did not answer (${code}).` };
    }
  };
}

async function outcomeOf(response: Response): Promise<SeriesOutcome> {
  const { status } = response;
  if (status === 202) {
    await response.body?.cancel();
    return { kind: 'accepted' };
  }
  const answerText = plainLine((await response.text().catch(() => '')).slice(0, MAX_REASON));
  const reason = `Datadog answered ${status}${answerText === '' ? '' : ` (${answerText})`}.`;
  if (status === 413) return { kind: 'too_large', reason };
  if (status === 429) return { kind: 'limited', reason, afterSeconds: retryAfterSecondsOf(response.headers) };
  if (status === 408 || status >= 500) return { kind: 'unknown', reason };
  return { kind: 'refused', reason };
}

function retryAfterSecondsOf(headers: Headers): number {
  const delaySeconds = Number(headers.get('Retry-After') ?? headers.get('X-RateLimit-Reset') ?? Number.NaN);
  return Number.isFinite(delaySeconds) && delaySeconds >= 0
    ? Math.min(Math.ceil(delaySeconds), 3_600)
    : DEFAULT_PAUSE_SECONDS;
}

function codeOf(error: unknown): string {
  const { name, cause } = error as { name?: string; cause?: { code?: unknown } };
  if (name === 'TimeoutError' || name === 'AbortError') return 'ETIMEDOUT';
  return String(cause?.code ?? 'failed');
}
