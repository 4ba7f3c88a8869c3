import type { Trace } from '../../src/core/trace.ts';
import { decodeAny } from '../../src/formats/detect/detect-format.ts';
import type { FormatName } from '../../src/formats/detect/known-formats.ts';
import { createModelCatalog } from '../../src/formats/model-catalog/catalog.ts';
import { buildTrace } from '../../src/formats/trace-model/build-trace.ts';

export const RECEIVED_MS = 1_800_000_000_000;

/** A session file as one trace. */
export function readSession(body: string): { format: FormatName; trace: Trace; rejected: string[] } {
  const { spans, rejections, format } = decodeAny(Buffer.from(body), { receivedAtMs: RECEIVED_MS });
  const traces = new Set(spans.map(({ traceId }) => traceId));
  if (traces.size !== 1) throw new Error(`expected one trace, not ${traces.size}`);
  const trace = buildTrace(spans, { models: createModelCatalog(), isSettled: true });
  return { format, trace, rejected: rejections.map(({ pointer }) => pointer) };
}

export function jsonLines(...values: unknown[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join('');
}

/** One line for each step: kind, name, outcome, exit code, who refused it. */
export function outlineOf(trace: Trace): string[] {
  return trace.steps.map((step) => {
    const { kind, name, status, toolOutcome, refusal, compaction, output } = step;
    const exit = toolOutcome?.exitCode == null ? '' : ` exit ${toolOutcome.exitCode}`;
    const by = refusal === undefined ? '' : ` refused by ${refusal.by}${refusal.reason ? `: ${refusal.reason}` : ''}`;
    const tokens = compaction === undefined ? '' : ` ${compaction.trigger} ${compaction.tokensBefore}`;
    const words = kind === 'message' ? ` ${JSON.stringify(output)}` : '';
    return `${kind} ${name}${status === 'error' ? ' failed' : ''}${exit}${by}${tokens}${words}`;
  });
}
