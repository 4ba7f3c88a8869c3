import { agentSpans } from '../../formats/agent-spans/agent-spans.ts';
import { decodeOtlpJson } from '../../formats/otlp/decode-json.ts';
import { decodeOtlpProtobuf } from '../../formats/otlp/decode-protobuf.ts';
import type { BodyDecoder } from './prepare.ts';

/** OTLP's `ExportTraceServiceRequest`. */
export const otlpTraces: BodyDecoder<{ encoding: 'json' | 'protobuf' }, null> = {
  name: 'otlp-traces',
  decode: (body, { encoding }) => {
    const { spans, refusals } = encoding === 'json' ? decodeOtlpJson(body) : decodeOtlpProtobuf(body);
    return { spans: agentSpans(spans), refusals, facts: null };
  },
};
