import type { Attributes, Span } from '../../src/core/span.ts';
import { MISSTEP } from '../../src/formats/misstep/attributes.ts';
import { makeSpan } from './make-span.ts';

export interface CodingSessionSample {
  traceId?: string;
  sessionId: string;
  title?: string;
  project?: string;
  branch?: string;
  endedBy?: string;
  model?: string;
  /** The answer of the model was recorded before its end. */
  isUsagePartial?: boolean;
  /** Unix milliseconds. */
  startMs: number;
}

/**
 * A small session of a coding agent as its decoders write it: one model call, one command that passes, one that fails,
 * and one that the user refuses.
 */
export function codingSessionSpans(sample: CodingSessionSample): Span[] {
  const { sessionId, startMs, model = 'claude-sonnet-4-5', traceId = `trace-${sessionId}` } = sample;
  let at = 0;
  const step = (name: string, attributes: Attributes, more: Partial<Span> = {}): Span => {
    at += 1;
    const startNs = BigInt(startMs + at * 1000) * 1_000_000n;
    const parentSpanId = `${sessionId}-0`;
    const common = { traceId, spanId: `${sessionId}-${at}`, parentSpanId, name, startNs, endNs: startNs + 1_000_000n };
    return makeSpan({ ...common, attributes: { [MISSTEP.framework]: 'claude-code', ...attributes }, ...more });
  };
  const tool = (name: string, command: string, more: Attributes, status: 0 | 2 = 0) =>
    step(
      name,
      {
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': name,
        'gen_ai.tool.call.arguments': JSON.stringify({ command }),
        ...more,
      },
      { status: { code: status, message: '' } },
    );
  const startNs = BigInt(startMs) * 1_000_000n;
  const root = makeSpan({
    traceId,
    spanId: `${sessionId}-0`,
    name: sample.title ?? 'session',
    startNs,
    endNs: startNs + 60_000_000_000n,
    attributes: {
      [MISSTEP.framework]: 'claude-code',
      [MISSTEP.stepKind]: 'agent',
      [MISSTEP.sessionId]: sessionId,
      [MISSTEP.task]: 'Make the parser accept tabs.',
      [MISSTEP.sessionEndedBy]: sample.endedBy ?? 'completed',
      [MISSTEP.sessionTitle]: sample.title ?? 'Tabs in the parser',
      [MISSTEP.sessionProject]: sample.project ?? '/home/ana/parser',
      [MISSTEP.sessionBranch]: sample.branch ?? 'tabs',
    },
  });
  const call = step('chat', {
    'gen_ai.operation.name': 'chat',
    'gen_ai.request.model': model,
    'gen_ai.provider.name': 'anthropic',
    'gen_ai.usage.input_tokens': 1000,
    'gen_ai.usage.output_tokens': 100,
    ...(sample.isUsagePartial ? { [MISSTEP.isUsagePartial]: true } : {}),
  });
  const passed = tool('Bash', 'ls src', { 'gen_ai.tool.call.result': 'parser.ts', [MISSTEP.toolIsError]: false });
  const failed = tool(
    'Bash',
    'node check.js',
    { 'gen_ai.tool.call.result': 'Exit code 1', [MISSTEP.toolIsError]: true, [MISSTEP.toolExitCode]: 1 },
    2,
  );
  const refused = tool(
    'Bash',
    'git push',
    {
      'gen_ai.tool.call.result': 'The user refused this call.',
      [MISSTEP.refusedBy]: 'user',
      [MISSTEP.refusalReason]: 'do not push to main',
    },
    2,
  );
  return [root, call, passed, failed, refused];
}
