import { type AttributeValue, nsToMs, type Span } from '../../core/span.ts';

/**
 * Source of a model call: the `transcript`, the `conversation` in `agent_end`, the hook that `measured` the call, or the
 * two hooks of a whole `run`, which sum up its calls.
 */
export type CallSource = 'transcript' | 'conversation' | 'measured' | 'run';

const SOURCE = 'openclaw.call.source';
const RUN = 'openclaw.run.id';
const SPOKEN_AT = 'openclaw.message.timestamp';

/** @param spokenAtMs the message's own time, which transcript and conversation share; null if it has none */
export function callAttributes(
  source: CallSource,
  runId: string | null,
  spokenAtMs: number | null = null,
): Record<string, AttributeValue> {
  return { [SOURCE]: source, [RUN]: runId, [SPOKEN_AT]: spokenAtMs };
}

export function sourceOfCall({ attributes }: Span): CallSource | undefined {
  return attributes[SOURCE] as CallSource | undefined;
}

export function runOfCall({ attributes }: Span): string | null {
  const run = attributes[RUN];
  return typeof run === 'string' ? run : null;
}

/** Unix milliseconds. */
export function timeOfCall({ attributes, startNs, endNs }: Span): number {
  const ownTime = attributes[SPOKEN_AT];
  return typeof ownTime === 'number' ? ownTime : nsToMs(startNs === 0n ? (endNs ?? 0n) : startNs);
}
