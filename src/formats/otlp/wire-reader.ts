import { AppError } from '../../core/app-error.ts';

export const VARINT = 0;
export const FIXED64 = 1;
export const LENGTH = 2;
export const FIXED32 = 5;

/** Texts up to this length are looked up in a cache because keys and names repeat in every span. */
const KNOWN_TEXT_BYTES = 40;
const KNOWN_TEXTS = 2048;

interface KnownText {
  start: number;
  length: number;
  text: string;
}

/**
 * Reads the protobuf wire format in place (protobuf.dev, "Encoding"). Every read is checked against the end of its message,
 * so that no length causes an allocation larger than the input. Groups are not supported.
 * @throws AppError `malformed` from every method if the bytes are invalid.
 */
export class WireReader {
  private readonly bytes: Buffer;
  private readonly view: DataView;
  private readonly known: (KnownText | undefined)[] = new Array(KNOWN_TEXTS).fill(undefined);
  private at = 0;
  private end: number;

  constructor(body: Uint8Array) {
    this.bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
    this.view = new DataView(body.buffer, body.byteOffset, body.byteLength);
    this.end = body.byteLength;
  }

  /** The next `field << 3 | wire type`; 0 at the end of the message. */
  tag(): number {
    if (this.at === this.end) return 0;
    const tag = this.uint32();
    if (tag >>> 3 === 0) throw malformed('a field number is zero');
    return tag;
  }

  /** Enters a length-delimited message; `leave` takes the result and exits it. */
  enter(): number {
    const outer = this.end;
    this.end = this.contentEnd();
    return outer;
  }

  leave(outer: number): void {
    this.at = this.end;
    this.end = outer;
  }

  skip(tag: number): void {
    const wireType = tag & 7;
    if (wireType === VARINT) this.uint32();
    else if (wireType === FIXED64) this.advance(8);
    else if (wireType === LENGTH) this.at = this.contentEnd();
    else if (wireType === FIXED32) this.advance(4);
    else throw malformed(`wire type ${wireType} is not supported`);
  }

  /** The low 32 bits of a varint, unsigned. */
  uint32(): number {
    let value = 0;
    for (let shift = 0; shift < 70; shift += 7) {
      const byte = this.byte();
      if (shift < 32) value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value >>> 0;
    }
    throw malformed('a number is longer than ten bytes');
  }

  /** A varint as a signed 64-bit integer: a number if that is exact, else a bigint. */
  int64(): number | bigint {
    let low = 0;
    let middle = 0;
    let high = 0;
    for (let index = 0; index < 10; index += 1) {
      const byte = this.byte();
      const bits = byte & 0x7f;
      if (index < 4) low |= bits << (7 * index);
      else if (index < 8) middle |= bits << (7 * (index - 4));
      else high |= bits << (7 * (index - 8));
      if (byte < 0x80) return joinInt64(low, middle, high);
    }
    throw malformed('a number is longer than ten bytes');
  }

  fixed64(): bigint {
    return this.view.getBigUint64(this.advance(8), true);
  }

  double(): number {
    return this.view.getFloat64(this.advance(8), true);
  }

  /** Bytes that are not UTF-8 become U+FFFD. */
  text(): string {
    const end = this.contentEnd();
    const start = this.at;
    this.at = end;
    return end - start > KNOWN_TEXT_BYTES ? this.decode(start, end) : this.knownText(start, end);
  }

  base64(): string {
    const end = this.contentEnd();
    const text = this.bytes.toString('base64', this.at, end);
    this.at = end;
    return text;
  }

  /** An id as hex; null if it is empty or all zeros, undefined if it has another length. */
  id(length: number): string | null | undefined {
    const end = this.contentEnd();
    const start = this.at;
    this.at = end;
    if (end === start) return null;
    if (end - start !== length) return undefined;
    const hex = this.bytes.toString('hex', start, end);
    return hex.charCodeAt(0) === 0x30 && /^0+$/.test(hex) ? null : hex;
  }

  private byte(): number {
    if (this.at >= this.end) throw malformed('it ends within a number');
    const byte = this.bytes[this.at]!;
    this.at += 1;
    return byte;
  }

  /** Advances by `length` bytes and returns their start. */
  private advance(length: number): number {
    const start = this.at;
    if (length > this.end - start) throw malformed('a field reaches beyond the end of its message');
    this.at = start + length;
    return start;
  }

  /** Reads a length; the content is then from `at` to the result. */
  private contentEnd(): number {
    const length = this.uint32();
    const end = this.at + length;
    if (end > this.end) throw malformed('a field reaches beyond the end of its message');
    return end;
  }

  private knownText(start: number, end: number): string {
    const { bytes } = this;
    let hash = end - start;
    for (let at = start; at < end; at += 1) hash = (Math.imul(hash, 31) + bytes[at]!) | 0;
    const slot = hash & (KNOWN_TEXTS - 1);
    const known = this.known[slot];
    if (known !== undefined && known.length === end - start && this.isSame(known.start, start, known.length)) {
      return known.text;
    }
    const text = this.decode(start, end);
    this.known[slot] = { start, length: end - start, text };
    return text;
  }

  private isSame(left: number, right: number, length: number): boolean {
    for (let index = 0; index < length; index += 1) {
      if (this.bytes[left + index] !== this.bytes[right + index]) return false;
    }
    return true;
  }

  private decode(start: number, end: number): string {
    return this.bytes.toString('utf8', start, end);
  }
}

function joinInt64(low: number, middle: number, high: number): number | bigint {
  const number = middle * 0x1000_0000 + low;
  if (high === 0 && number <= Number.MAX_SAFE_INTEGER) return number;
  const value = BigInt.asIntN(64, (BigInt(high) << 56n) | (BigInt(middle) << 28n) | BigInt(low));
  const exact = Number(value);
  return Number.isSafeInteger(exact) ? exact : value;
}

function malformed(why: string): AppError {
  return new AppError('malformed', `The body is not valid protobuf: ${why}.`);
}
