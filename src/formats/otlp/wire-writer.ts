import { FIXED64, LENGTH, VARINT } from './wire-reader.ts';

/** Writes the protobuf wire format into one growing buffer. */
export class WireWriter {
  private bytes = Buffer.allocUnsafe(4096);
  private at = 0;

  /** The written bytes, as a copy. */
  finish(): Buffer {
    return Buffer.from(this.bytes.subarray(0, this.at));
  }

  varint(field: number, value: number | bigint): void {
    this.tag(field, VARINT);
    this.rawVarint(BigInt.asUintN(64, BigInt(value)));
  }

  fixed64(field: number, value: bigint): void {
    this.tag(field, FIXED64);
    this.at = this.room(8).writeBigUInt64LE(value, this.at);
  }

  double(field: number, value: number): void {
    this.tag(field, FIXED64);
    this.at = this.room(8).writeDoubleLE(value, this.at);
  }

  text(field: number, value: string): void {
    this.content(field, Buffer.from(value));
  }

  content(field: number, value: Uint8Array): void {
    this.tag(field, LENGTH);
    this.rawVarint(BigInt(value.length));
    this.room(value.length).set(value, this.at);
    this.at += value.length;
  }

  /** A nested message: written first, then moved to insert its length. */
  message(field: number, write: () => void): void {
    this.tag(field, LENGTH);
    const start = this.at;
    write();
    const length = this.at - start;
    const content = Buffer.from(this.bytes.subarray(start, this.at));
    this.at = start;
    this.rawVarint(BigInt(length));
    this.room(length).set(content, this.at);
    this.at += length;
  }

  private tag(field: number, wireType: number): void {
    this.rawVarint(BigInt((field << 3) | wireType));
  }

  private rawVarint(value: bigint): void {
    const bytes = this.room(10);
    let rest = value;
    for (; rest > 0x7fn; rest >>= 7n) {
      bytes[this.at] = Number(rest & 0x7fn) | 0x80;
      this.at += 1;
    }
    bytes[this.at] = Number(rest);
    this.at += 1;
  }

  private room(length: number): Buffer {
    if (this.at + length > this.bytes.length) {
      const larger = Buffer.allocUnsafe(Math.max(this.bytes.length * 2, this.at + length));
      this.bytes.copy(larger, 0, 0, this.at);
      this.bytes = larger;
    }
    return this.bytes;
  }
}
