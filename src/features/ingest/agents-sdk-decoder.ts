import { AppError } from '../../core/app-error.ts';
import { mergeSpans } from '../../core/merge-spans.ts';
import { decodeAgentsExport, isAgentsExport } from '../../formats/openai-agents/decode-export.ts';
import { BODY_LIMITS } from '../_kit/body-limits.ts';
import { parseJsonBody } from '../_kit/parse-json-body.ts';
import type { BodyDecoder } from './prepare.ts';

/** `{data: [trace | trace.span, …]}` of the OpenAI Agents SDK. */
export const agentsSdkExport: BodyDecoder<null, null> = {
  name: 'openai-agents',
  decode(body) {
    const value = parseJsonBody(body, BODY_LIMITS.runs);
    if (!isAgentsExport(value))
      throw new AppError('invalid_body', 'The body must be {"data": […]} with records of the OpenAI Agents SDK.', {
        errors: [{ pointer: '/data', message: 'must hold records whose object is "trace" or "trace.span"' }],
      });
    const { spans, rejections } = decodeAgentsExport(value);
    // The beginning and the end of a trace are two records of one span, often in one batch.
    return { spans: mergeSpans(spans), rejections, facts: null };
  },
};
