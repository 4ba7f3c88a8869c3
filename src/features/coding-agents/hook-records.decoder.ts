import { AppError } from '../../core/app-error.ts';
import { boundedFieldErrors } from '../../core/bounded-errors.ts';
import { type DecodedRecords, decodeRecords } from '../../formats/hooks/decode-records.ts';
import type { HookFramework } from '../../formats/hooks/hook-framework.ts';
import { BODY_LIMITS } from '../_kit/body-limits.ts';
import { receivedJson } from '../_kit/received-json.ts';
import type { BodyDecoder } from '../ingest/prepare.ts';

export interface HookRecordsParams {
  /** Whose hook it was; null: the record's shape tells. */
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
    const decoded = decodeRecords(receivedJson(body, BODY_LIMITS.hooks), receivedAtMs, agent);
    const { spans, refusals, accepted, rejected, isHookCall } = decoded;
    if (accepted === 0 && rejected > 0)
      throw new AppError('invalid_body', 'No record can be taken.', { errors: boundedFieldErrors(refusals) });
    return { spans, refusals, facts: { accepted, rejected, isHookCall } };
  },
};
