import type { Span } from '../../core/span.ts';
import type { DetectOptions } from '../../formats/detect/detect-format.ts';
import type { FormatName } from '../../formats/detect/known-formats.ts';
import type { Layout } from '../../formats/split/record-splitter.ts';
import type { ExportLine } from '../export/export-line.ts';
import type { BodyDecoder } from '../ingest/prepare.ts';
import { type DecodedRecord, decodeImportFile, decodeImportRecord } from './decode-import.ts';
import { type PlacedLine, type PlacedRejection, readExported } from './restore-exported.ts';

/** A record in a body that holds the records of a batch in sequence. */
export interface PlacedRecord {
  /** Null for a record that exceeds the size limit. */
  length: number | null;
  index: number;
  line: number;
}

export interface ImportRecordsParams {
  records: PlacedRecord[];
  /** Null if the file is read as a whole. */
  layout: Layout | null;
  hint: DetectOptions['hint'] | null;
  /** Unix milliseconds of the first record of the file. */
  receivedAtMs: number;
}

export interface ImportRecordsFacts {
  formats: FormatName[];
  /** Records of which no part could be imported. */
  failed: number;
  rejectedSpans: number;
  rejections: PlacedRejection[];
  /** Lines of a Misstep export besides its spans. */
  exported: PlacedLine<ExportLine>[];
}

/** Records of an import, each in its own format. */
export const importRecords: BodyDecoder<ImportRecordsParams, ImportRecordsFacts> = {
  name: 'import-records',
  decode(body, { records, ...options }) {
    const batch = new Batch();
    let offset = 0;
    for (const { length, index, line } of records) {
      const bytes = length === null ? null : body.subarray(offset, offset + length);
      offset += length ?? 0;
      batch.addRecord(bytes, { record: index, line }, options);
    }
    return { spans: batch.spans, rejections: [], facts: batch.facts };
  },
};

type Place = Pick<PlacedRejection, 'record' | 'line'>;

class Batch {
  readonly spans: Span[] = [];
  readonly facts: ImportRecordsFacts = { formats: [], failed: 0, rejectedSpans: 0, rejections: [], exported: [] };

  addRecord(bytes: Buffer | null, place: Place, options: Omit<ImportRecordsParams, 'records'>): void {
    const exported = readExported(bytes);
    const line: DecodedRecord = { spans: [], rejections: [], formats: ['misstep-export'], hasFailed: false };
    if (exported === null) this.#addDecoded(decode(bytes, place, options), place);
    else if ('message' in exported) this.#addDecoded({ ...line, rejections: [exported], hasFailed: true }, place);
    else {
      this.#addDecoded(line, place);
      this.facts.exported.push({ ...place, exported });
    }
  }

  #addDecoded({ spans, rejections, formats, hasFailed }: DecodedRecord, place: Place): void {
    const { facts } = this;
    for (const span of spans) this.spans.push(span);
    for (const rejection of rejections) facts.rejections.push({ ...rejection, ...place });
    for (const format of formats) if (!facts.formats.includes(format)) facts.formats.push(format);
    if (hasFailed) facts.failed += 1;
    if (formats.length > 0) facts.rejectedSpans += rejections.length;
  }
}

function decode(
  bytes: Buffer | null,
  { record }: Place,
  { layout, hint, receivedAtMs }: Omit<ImportRecordsParams, 'records'>,
): DecodedRecord {
  // A sender may omit the time: records then keep their order by the millisecond.
  const options: DetectOptions = { receivedAtMs: receivedAtMs + record, ...(hint === null ? {} : { hint }) };
  return layout === null && bytes !== null
    ? decodeImportFile(bytes, options)
    : decodeImportRecord(bytes, layout ?? { kind: 'values' }, options);
}
