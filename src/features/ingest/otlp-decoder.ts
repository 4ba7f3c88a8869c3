import { agentSpans } from '../../formats/agent-spans/agent-spans.ts';
import { type N8nSpans, n8nSpans } from '../../formats/n8n/otel-spans.ts';
import { decodeOtlpJson } from '../../formats/otlp/decode-json.ts';
import { decodeOtlpProtobuf } from '../../formats/otlp/decode-protobuf.ts';
import type { BodyDecoder } from './prepare.ts';

/** Spans that wait for others, and spans that others may have waited for. */
export type OtlpFacts = Omit<N8nSpans, 'spans'>;

/** OTLP's `ExportTraceServiceRequest`. */
export const otlpTraces: BodyDecoder<{ encoding: 'json' | 'protobuf' }, OtlpFacts> = {
  name: 'otlp-traces',
  decode: (body, { encoding }) => {
    const { spans, rejections } = encoding === 'json' ? decodeOtlpJson(body) : decodeOtlpProtobuf(body);
    const { spans: read, ...facts } = n8nSpans(agentSpans(spans), true);
    return { spans: read, rejections, facts };
  },
};
