/**
 * Layout of the records in a file: one per line, consecutive values, elements of one array, or elements of the arrays under
 * one name in objects.
 */
export type Layout = { kind: 'lines' } | { kind: 'values' } | { kind: 'array' } | { kind: 'member'; name: string };

/** A position between two records. */
export interface SplitPosition {
  /** Bytes before it. */
  offset: number;
  /** Records before it. */
  index: number;
  /** Its line number, from one. */
  line: number;
}

export const START: SplitPosition = { offset: 0, index: 0, line: 1 };

export interface RawRecord {
  /** Null if the record exceeds the size limit. */
  bytes: Buffer | null;
  /** From zero. */
  index: number;
  /** Number of its first line, from one. */
  line: number;
  /** Position directly after it, from which splitting can resume. */
  end: SplitPosition;
}

/** Splits a byte stream into records; the buffered data is limited by `maxBytes`. */
export interface RecordSplitter {
  push(chunk: Buffer): RawRecord[];
  /** The last record if it has no terminator. */
  finish(): RawRecord[];
}

export function createRecordSplitter(
  layout: Layout,
  { from = START, maxBytes }: { from?: SplitPosition; maxBytes: number },
): RecordSplitter {
  return layout.kind === 'lines' ? new LineSplitter(from, maxBytes) : new ValueSplitter(layout, from, maxBytes);
}

const NEWLINE = 0x0a;

class LineSplitter implements RecordSplitter {
  #position: SplitPosition;
  #held: RecordBytes;

  constructor(from: SplitPosition, maxBytes: number) {
    this.#position = from;
    this.#held = new RecordBytes(maxBytes);
  }

  push(chunk: Buffer): RawRecord[] {
    const records: RawRecord[] = [];
    for (let from = 0; from < chunk.length; ) {
      const newline = chunk.indexOf(NEWLINE, from);
      const to = newline < 0 ? chunk.length : newline + 1;
      this.#held.add(chunk.subarray(from, to));
      if (newline >= 0) this.#finishRecord(records, 1);
      from = to;
    }
    return records;
  }

  finish(): RawRecord[] {
    const records: RawRecord[] = [];
    if (this.#held.size > 0) this.#finishRecord(records, 0);
    return records;
  }

  /** Empty lines are not records, but advance the position. */
  #finishRecord(records: RawRecord[], newlines: number): void {
    const { size } = this.#held;
    const bytes = this.#held.finishRecord();
    const isBlank = bytes?.every(isSpace) ?? false;
    const { offset, index, line } = this.#position;
    const end = { offset: offset + size, index: isBlank ? index : index + 1, line: line + newlines };
    this.#position = end;
    if (!isBlank) records.push({ bytes, index, line, end });
  }
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const MAX_NAME_BYTES = 64;

/** Tracks only strings and brackets: the decoder decides whether a record is JSON. */
class ValueSplitter implements RecordSplitter {
  /** Number of open brackets around a record. */
  readonly #base: number;
  readonly #memberName: string | null;
  #offset: number;
  #line: number;
  #index: number;
  readonly #held: RecordBytes;
  #depth: number;
  #isInString = false;
  #isEscaped = false;
  /** Whether values at this position are records. */
  #isAtRecords: boolean;
  #isRecording = false;
  #isScalar = false;
  #recordLine = 1;
  #rootOpener = 0;
  #nameBytes: number[] = [];
  #lastName = '';

  constructor(layout: Exclude<Layout, { kind: 'lines' }>, from: SplitPosition, maxBytes: number) {
    this.#base = layout.kind === 'values' ? 0 : layout.kind === 'array' ? 1 : 2;
    this.#memberName = layout.kind === 'member' ? layout.name : null;
    this.#offset = from.offset;
    this.#line = from.line;
    this.#index = from.index;
    this.#held = new RecordBytes(maxBytes);
    // After the first byte of a file, a position is always between two records.
    this.#depth = from.offset > 0 ? this.#base : 0;
    this.#isAtRecords = from.offset > 0 || this.#base === 0;
    this.#rootOpener = this.#base === 2 ? OPEN_OBJECT : OPEN_LIST;
  }

  push(chunk: Buffer): RawRecord[] {
    const records: RawRecord[] = [];
    let from = 0;
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at] as number;
      const wasRecording = this.#isRecording;
      const endsAt = this.#step(byte);
      if (!wasRecording && this.#isRecording) {
        from = at;
        this.#recordLine = this.#line;
      }
      if (endsAt !== 'continues') {
        const to = endsAt === 'after' ? at + 1 : at;
        this.#held.add(chunk.subarray(from, to));
        records.push(this.#finishRecord(this.#offset + to));
      }
      if (byte === NEWLINE) this.#line += 1;
    }
    if (this.#isRecording) this.#held.add(chunk.subarray(from));
    this.#offset += chunk.length;
    return records;
  }

  finish(): RawRecord[] {
    if (!this.#isRecording) return [];
    this.#isRecording = false;
    return [this.#finishRecord(this.#offset)];
  }

  #finishRecord(offset: number): RawRecord {
    const index = this.#index;
    this.#index += 1;
    const end = { offset, index: this.#index, line: this.#line };
    return { bytes: this.#held.finishRecord(), index, line: this.#recordLine, end };
  }

  /** @returns whether the current record ends, and whether this byte still belongs to it */
  #step(byte: number): 'continues' | 'before' | 'after' {
    if (this.#isInString) return this.#stepInString(byte);
    if (isSpace(byte) || byte === COMMA) return this.#endScalar();
    switch (byte) {
      case QUOTE:
        this.#isInString = true;
        this.#nameBytes = [];
        this.#begin(true);
        return 'continues';
      case OPEN_LIST:
      case OPEN_OBJECT:
        this.#open(byte);
        return 'continues';
      case CLOSE_LIST:
      case CLOSE_OBJECT:
        return this.#close();
      case COLON:
        if (this.#depth === 1) this.#lastName = Buffer.from(this.#nameBytes).toString();
        return 'continues';
      default:
        // A byte order mark is not a value.
        if (byte !== 0xef && byte !== 0xbb && byte !== 0xbf) this.#begin(true);
        return 'continues';
    }
  }

  #stepInString(byte: number): 'continues' | 'after' {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (byte === BACKSLASH) this.#isEscaped = true;
    else if (byte === QUOTE) {
      this.#isInString = false;
      return this.#isRecording && this.#isScalar && this.#depth === this.#base ? this.#end('after') : 'continues';
    }
    if (this.#depth === 1 && this.#memberName !== null && this.#nameBytes.length < MAX_NAME_BYTES) {
      this.#nameBytes.push(byte);
    }
    return 'continues';
  }

  #begin(isScalar: boolean): void {
    if (this.#isRecording || !this.#isAtRecords) return;
    this.#isRecording = true;
    this.#isScalar = isScalar;
  }

  #open(byte: number): void {
    this.#begin(false);
    this.#depth += 1;
    if (this.#isRecording) return;
    if (this.#depth === 1) this.#rootOpener = byte;
    if (this.#depth === this.#base) this.#isAtRecords = byte === OPEN_LIST && this.#isRecordList();
  }

  #isRecordList(): boolean {
    return this.#memberName === null || (this.#rootOpener === OPEN_OBJECT && this.#lastName === this.#memberName);
  }

  #close(): 'continues' | 'before' | 'after' {
    const ending = this.#endScalar();
    // An extra closing bracket must not end the file.
    this.#depth = Math.max(0, this.#depth - 1);
    if (ending !== 'continues') {
      this.#isAtRecords = this.#depth >= this.#base;
      return ending;
    }
    if (this.#isRecording && this.#depth <= this.#base) return this.#end('after');
    if (this.#depth < this.#base) this.#isAtRecords = false;
    return 'continues';
  }

  #endScalar(): 'continues' | 'before' {
    return this.#isRecording && this.#isScalar ? this.#end('before') : 'continues';
  }

  #end<Side extends 'before' | 'after'>(side: Side): Side {
    this.#isRecording = false;
    return side;
  }
}

/** The bytes of one record, dropped if they exceed the limit. */
class RecordBytes {
  size = 0;
  readonly #maxBytes: number;
  #parts: Buffer[] = [];

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  add(part: Buffer): void {
    this.size += part.length;
    if (this.size > this.#maxBytes) this.#parts = [];
    else if (part.length > 0) this.#parts.push(part);
  }

  /** Null if the limit was exceeded. */
  finishRecord(): Buffer | null {
    const bytes =
      this.size > this.#maxBytes
        ? null
        : this.#parts.length === 1
          ? (this.#parts[0] as Buffer)
          : Buffer.concat(this.#parts);
    this.size = 0;
    this.#parts = [];
    return bytes;
  }
}

function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}
