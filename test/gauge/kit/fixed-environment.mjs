// Replaces the clocks and random sources of this process, so that recordings are deterministic.
// Import it before anything else.
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

const READ_COSTS_MS = 0.01;
const TIME_ORIGIN = performance.timeOrigin;
let nowMs = 0;
let state = 1;

/** Starts a new run: its time and its identifiers follow from the seed. */
export function resetEnvironment(seed) {
  state = hashOf(seed) || 1;
  nowMs = Date.UTC(2026, 2, 2) + (hashOf(`${seed} start`) % (60 * 86_400)) * 1000;
}

/** Advances the clock by the duration of a model or tool call. */
export function advance(ms) {
  nowMs += ms;
}

export function hashOf(text) {
  return crypto.createHash('sha256').update(text).digest().readUInt32BE(0);
}

function read() {
  nowMs += READ_COSTS_MS;
  return nowMs;
}

/** Mulberry32. */
export function random() {
  state = (state + 0x6d2b79f5) | 0;
  let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
}

function fill(view) {
  const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
  for (let at = 0; at < bytes.length; at += 1) bytes[at] = Math.floor(random() * 256);
  return view;
}

function uuid() {
  const bytes = fill(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = Buffer.from(bytes).toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

const RealDate = Date;
globalThis.Date = class extends RealDate {
  constructor(...values) {
    super(...(values.length === 0 ? [read()] : values));
  }
  static now() {
    return Math.floor(read());
  }
};
performance.now = () => read() - TIME_ORIGIN;
const hrtime = (before = [0, 0]) => {
  const ns = BigInt(Math.round(read() * 1e6)) - (BigInt(before[0]) * 1_000_000_000n + BigInt(before[1]));
  return [Number(ns / 1_000_000_000n), Number(ns % 1_000_000_000n)];
};
hrtime.bigint = () => BigInt(Math.round(read() * 1e6));
process.hrtime = hrtime;
Math.random = random;
crypto.randomUUID = uuid;
crypto.randomBytes = (size) => fill(Buffer.alloc(size));
crypto.webcrypto.randomUUID = uuid;
crypto.webcrypto.getRandomValues = fill;
globalThis.crypto.randomUUID = uuid;
globalThis.crypto.getRandomValues = fill;
syncBuiltinESMExports();
resetEnvironment('start');
