import type { Json } from '../../core/json.ts';
import { mergeSpans } from '../../core/merge-spans.ts';
import type { Decoded, Rejection, Span } from '../../core/span.ts';
import { errorsOf, isNativeHook } from './check-record.ts';
import { decodeHook } from './decode-hook.ts';
import type { HookFramework } from './hook-framework.ts';

export interface DecodedRecords extends Decoded {
  accepted: number;
  rejected: number;
  /** Whether the body is one call of an agent's own hook, which interprets the response as a decision. */
  isHookCall: boolean;
}

/**
 * A record of a coding agent or a list of them, in our format or the agents' own. A bad record only affects itself.
 * @param agent the sending agent, if known; else the form of each record identifies it
 */
export function decodeRecords(body: Json, receivedAtMs: number, agent: HookFramework | null = null): DecodedRecords {
  const records = Array.isArray(body) ? body : [body];
  const spans: Span[] = [];
  const rejections: Rejection[] = [];
  let rejected = 0;
  for (const [index, record] of records.entries()) {
    const at = Array.isArray(body) ? `/${index}` : '';
    const errors = errorsOf(record, at);
    // Records without a time of their own keep their order.
    const decoded = errors.length > 0 ? null : decodeHook(record, receivedAtMs + index, agent);
    errors.push(...(decoded?.rejections ?? []).map(({ pointer, message }) => ({ pointer: at + pointer, message })));
    if (errors.length > 0) rejected += 1;
    rejections.push(...errors);
    spans.push(...(decoded?.spans ?? []));
  }
  const accepted = records.length - rejected;
  return { spans: mergeSpans(spans), rejections, accepted, rejected, isHookCall: isNativeHook(body) };
}
