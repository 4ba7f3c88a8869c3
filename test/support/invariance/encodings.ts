import type { Json } from '../../../src/core/json.ts';
import { msToNs, type Span } from '../../../src/core/span.ts';
import { decodeAny } from '../../../src/formats/detect/detect-format.ts';
import { encodeSpanLine } from '../../../src/formats/misstep/span-line.ts';
import { encodeOtlpJson } from '../../../src/formats/otlp/encode-json.ts';
import { encodeOtlpProtobuf } from '../../../src/formats/otlp/encode-protobuf.ts';
import { makeSpan } from '../make-span.ts';
import { anthropicMessages, conversation, responses } from './chat-encodings.ts';
import { type Act, type Answer, agentOf, type Call, errorOf, hasFailed, isGiven, type PlainRun } from './plain-run.ts';
import { agentsExport, langSmithRuns, plainSpans, record, START_MS, timeOf, wholeTime } from './run-exports.ts';
import {
  GEN_AI,
  GEN_AI_AGENTS,
  GEN_AI_EVENTS,
  GRAPH_RUNTIME,
  LANGFUSE,
  NATIVE,
  type NestedEncoding,
  OPEN_INFERENCE,
  OPEN_INFERENCE_AGENTS,
  type SpanEncoding,
  TRACELOOP,
  VERCEL,
  withMessageEvents,
} from './span-encodings.ts';

/** The same run in each encoding, decoded by the shipped decoders. */
export const ENCODINGS = {
  'otel gen_ai': (run: PlainRun) => decodeText(encodeOtlpJson(spansOf(run, GEN_AI).map(withHexIds))),
  'otel gen_ai agents': (run: PlainRun) => decodeText(encodeOtlpJson(nestedSpans(run, GEN_AI_AGENTS).map(withHexIds))),
  'graphruntime.*': (run: PlainRun) => spansOf(run, GRAPH_RUNTIME),
  openinference: (run: PlainRun) => decodeText(encodeOtlpJson(spansOf(run, OPEN_INFERENCE).map(withHexIds))),
  'openinference agents': (run: PlainRun) =>
    decodeText(encodeOtlpJson(nestedSpans(run, OPEN_INFERENCE_AGENTS).map(withHexIds))),
  traceloop: (run: PlainRun) => spansOf(run, TRACELOOP),
  'vercel ai': (run: PlainRun) => spansOf(run, VERCEL),
  langsmith: (run: PlainRun) => decode({ runs: langSmithRuns(run) }),
  conversation: (run: PlainRun) => decode(conversation(run)),
  record: (run: PlainRun) => decode(record(run)),
  'otlp protobuf': (run: PlainRun) => decodeBytes(encodeOtlpProtobuf(spansOf(run, GEN_AI).map(withHexIds))),
  'gen_ai events': (run: PlainRun) => spansOf(run, GEN_AI_EVENTS, withMessageEvents),
  'langfuse otel': (run: PlainRun) => spansOf(run, LANGFUSE),
  'openai agents': (run: PlainRun) => decode({ data: agentsExport(run) }),
  'anthropic messages': (run: PlainRun) => decode(anthropicMessages(run)),
  'openai responses': (run: PlainRun) => decode(responses(run)),
  'misstep spans': (run: PlainRun) => decodeText(nativeSpans(run).map(encodeSpanLine).join('\n')),
  'plain spans': (run: PlainRun) => decode(plainSpans(run)),
} satisfies Readonly<Record<string, (run: PlainRun) => Span[]>>;
export type EncodingName = keyof typeof ENCODINGS;

type WithEvents = (span: Span, act: Act, run: PlainRun) => Span;

const SAME: WithEvents = (span) => span;

/** A span around the run and one for each act of an agent. */
function spansOf(run: PlainRun, encoding: SpanEncoding, finish: WithEvents = SAME): Span[] {
  const acts = run.acts.flatMap((act, n) => (isGiven(act) ? [] : [finish(actSpan(act, n, run, encoding), act, run)]));
  return [rootSpan(run, encoding), ...acts];
}

/** A span around the run, one for each invocation of an agent, and one for each of its acts. */
function nestedSpans(run: PlainRun, encoding: NestedEncoding): Span[] {
  const spans = [rootSpan(run, encoding)];
  let open: { span: Span; acts: (Answer | Call)[] } | null = null;
  for (const [n, act] of run.acts.entries()) {
    const agent = agentOf(act, run);
    if (act.kind === 'message') {
      open = null;
      if (!isGiven(act)) spans.push({ ...actSpan(act, n, run, encoding), name: `invoke_agent ${agent}` });
      continue;
    }
    if (open === null || open.span.name !== `invoke_agent ${agent}`) {
      const spanId = `agent-${n}`;
      open = { span: { ...actSpan(act, n, run, encoding), spanId, name: `invoke_agent ${agent}` }, acts: [] };
      open.span.status = { code: 0, message: '' };
      spans.push(open.span);
    }
    open.acts.push(act);
    const span = { ...actSpan(act, n, run, encoding), parentSpanId: open.span.spanId };
    spans.push(span);
    open.span.endNs = span.endNs;
    open.span.attributes = encoding.invocation({ agent, acts: open.acts }, run);
  }
  return spans;
}

/** Messages of users and instructions have spans too. */
function nativeSpans(run: PlainRun): Span[] {
  return [rootSpan(run, NATIVE), ...run.acts.map((act, n) => actSpan(act, n, run, NATIVE))];
}

function rootSpan(run: PlainRun, encoding: SpanEncoding): Span {
  const { startMs, endMs } = wholeTime(run);
  const time = { startNs: msToNs(startMs), endNs: msToNs(endMs) };
  return makeSpan({ spanId: 'root', name: 'run', ...time, attributes: encoding.root(run) });
}

function actSpan(act: Act, n: number, run: PlainRun, encoding: SpanEncoding): Span {
  const { startMs, endMs } = timeOf(act, n);
  return makeSpan({
    spanId: `act-${n}`,
    parentSpanId: 'root',
    name: act.kind === 'call' ? act.name : 'chat',
    startNs: msToNs(startMs),
    endNs: msToNs(endMs),
    status: hasFailed(act) ? { code: 2, message: errorOf(act) } : { code: 0, message: '' },
    attributes: encoding.act(act, run),
  });
}

/** OTLP ids are 16 and 8 bytes. */
function withHexIds(span: Span): Span {
  const hex = (id: string, digits: number) => Buffer.from(id).toString('hex').padStart(digits, '0').slice(-digits);
  return {
    ...span,
    traceId: hex(span.traceId, 32),
    spanId: hex(span.spanId, 16),
    parentSpanId: span.parentSpanId === null ? null : hex(span.parentSpanId, 16),
  };
}

const decode = (body: Json): Span[] => decodeText(JSON.stringify(body));
const decodeText = (body: string): Span[] => decodeBytes(Buffer.from(body));

function decodeBytes(body: Buffer): Span[] {
  const { spans, rejections } = decodeAny(body, { receivedAtMs: START_MS });
  if (rejections.length > 0) throw new Error(`${rejections[0]!.pointer}: ${rejections[0]!.message}`);
  return spans;
}
