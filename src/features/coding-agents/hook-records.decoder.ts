import { AppError } from '../../core/app-error.ts';
import { boundedFieldErrors } from '../../core/bounded-errors.ts';
import { type DecodedRecords, decodeRecords } from '../../formats/hooks/decode-records.ts';
import type { HookFramework } from '../../formats/hooks/hook-framework.ts';
import { BODY_LIMITS } from '../_kit/body-limits.ts';
import { parseJsonBody } from '../_kit/parse-json-body.ts';
import type { BodyDecoder } from '../ingest/prepare.ts';

export interface HookRecordsParams {
  /** The agent; null: detected from the record's shape. */
  agent: HookFramework | null;
  /** Unix milliseconds. */
  receivedAtMs: number;
}

export type HookRecordsFacts = Pick<DecodedRecords, 'accepted' | 'rejected' | 'isHookCall'>;

/** Records of coding agents, one or a list. */
export const hookRecords: BodyDecoder<HookRecordsParams, HookRecordsFacts> = {
  name: 'hook-records',
  maxInlineNodes: 4_000,
  decode(body, { agent, receivedAtMs }) {
    const decoded = decodeRecords(parseJsonBody(body, BODY_LIMITS.hooks), receivedAtMs, agent);
    const { spans, rejections, accepted, rejected, isHookCall } = decoded;
    if (accepted === 0 && rejected > 0)
      throw new AppError('invalid_body', 'No record can be read.', { errors: boundedFieldErrors(rejections) });
    return { spans, rejections, facts: { accepted, rejected, isHookCall } };
  },
};
