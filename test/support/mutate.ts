import { pick, type Random, randomInteger } from './random.ts';

type Mutation = (body: Buffer, random: Random) => Buffer;

/** A copy of a body with one to four faults that a network, a bug or an attacker may cause. */
export function mutateBytes(body: Buffer, random: Random): Buffer {
  let mutated: Buffer = Buffer.from(body);
  const faults = 1 + randomInteger(random, 4);
  for (let fault = 0; fault < faults; fault += 1) mutated = pick(random, MUTATIONS)(mutated, random);
  return mutated;
}

/** Texts and bytes that often break parsers. */
const BREAKING_TEXTS: readonly Buffer[] = [
  ...['null', '[]', '{}', '""', '-1', '1e999', '18446744073709551616', '\\u0000', '\\ud800', '"__proto__"'],
  ...['[[[[[[[[', '{"a":{"a":', '\ufeff', '\0', '{"kvlistValue":{"values":', '"constructor":', 'NaN', 'true'],
].map((text) => Buffer.from(text));
const BREAKING_BYTES: readonly Buffer[] = [
  Buffer.from('ffffffffffffffffff01', 'hex'),
  Buffer.from('ffffffff7f', 'hex'),
  Buffer.from('0a8080808008', 'hex'),
  Buffer.from('0b0c', 'hex'),
  Buffer.from('c0afeda080', 'hex'),
  Buffer.from('0aff', 'hex'),
];

const flipBit: Mutation = (body, random) => {
  if (body.length === 0) return body;
  const at = randomInteger(random, body.length);
  body[at] = body[at]! ^ (1 << randomInteger(random, 8));
  return body;
};

const setByte: Mutation = (body, random) => {
  if (body.length > 0) body[randomInteger(random, body.length)] = randomInteger(random, 256);
  return body;
};

const truncate: Mutation = (body, random) => body.subarray(0, randomInteger(random, body.length + 1));

const removePiece: Mutation = (body, random) => {
  const [start, end] = pickRange(body, random);
  return Buffer.concat([body.subarray(0, start), body.subarray(end)]);
};

const repeatPiece: Mutation = (body, random) => {
  const [start, end] = pickRange(body, random);
  return Buffer.concat([body.subarray(0, end), body.subarray(start)]);
};

const movePiece: Mutation = (body, random) => {
  const [start, end] = pickRange(body, random);
  const rest = Buffer.concat([body.subarray(0, start), body.subarray(end)]);
  const at = randomInteger(random, rest.length + 1);
  return Buffer.concat([rest.subarray(0, at), body.subarray(start, end), rest.subarray(at)]);
};

const insertBreaking: Mutation = (body, random) => {
  const at = randomInteger(random, body.length + 1);
  const piece = pick(random, random() < 0.5 ? BREAKING_TEXTS : BREAKING_BYTES);
  return Buffer.concat([body.subarray(0, at), piece, body.subarray(at)]);
};

/** Replaces a JSON value by one of another type, so that the body stays well-formed. */
const replaceJsonValue: Mutation = (body, random) => {
  const text = body.toString('latin1');
  const values = [...text.matchAll(/:\s?(?:"[^"\\]{0,200}"|-?\d{1,30}|true|false|null|\[\]|\{\})/g)];
  if (values.length === 0) return insertBreaking(body, random);
  const value = pick(random, values);
  const replaced = `${text.slice(0, value.index)}:${pick(random, BREAKING_TEXTS).toString('latin1')}`;
  return Buffer.from(replaced + text.slice(value.index + value[0].length), 'latin1');
};

const appendNoise: Mutation = (body, random) => {
  const noise = Buffer.from(Array.from({ length: randomInteger(random, 16) }, () => randomInteger(random, 256)));
  return Buffer.concat([body, noise]);
};

const MUTATIONS: readonly Mutation[] = [
  flipBit,
  setByte,
  truncate,
  removePiece,
  repeatPiece,
  movePiece,
  insertBreaking,
  replaceJsonValue,
  appendNoise,
];

function pickRange(body: Buffer, random: Random): [number, number] {
  const start = randomInteger(random, body.length + 1);
  return [start, Math.min(body.length, start + randomInteger(random, 64))];
}
