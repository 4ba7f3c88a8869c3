import type { Rejection } from '../../core/span.ts';
import type { BodyDecoder } from '../ingest/prepare.ts';
import { decodeEntries, type ReceivedBody } from './decode-entries.ts';

/** An entry in the body that holds the bodies of all entries one after the other. */
export type PlacedEntry = Omit<ReceivedBody, 'body'> & { length: number };

/** Entries of a spool file. */
export const spoolEntries: BodyDecoder<{ entries: PlacedEntry[] }, { rejections: Rejection[] }> = {
  name: 'spool-entries',
  decode(body, { entries }) {
    let offset = 0;
    const { spans, rejections } = decodeEntries(
      entries.map(({ length, ...entry }) => {
        offset += length;
        return { ...entry, body: body.subarray(offset - length, offset) };
      }),
    );
    return { spans, rejections, facts: { rejections } };
  },
};
