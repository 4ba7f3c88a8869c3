import { AppError } from '../../core/app-error.ts';
import { isJsonObject, type Json, parseJson } from '../../core/json.ts';
import { mergeSpans } from '../../core/merge-spans.ts';
import type { Decoded, Rejection, Span } from '../../core/span.ts';
import { agentSpans } from '../agent-spans/agent-spans.ts';
import type { HookFramework } from '../hooks/hook-framework.ts';
import { n8nSpans } from '../n8n/otel-spans.ts';
import { decodeOtlpProtobuf } from '../otlp/decode-protobuf.ts';
import { BODY_FORMATS, type BodyFormat } from './body-formats.ts';
import { JSON_FORMATS, type JsonFormat, type JsonFormatName } from './json-formats.ts';
import type { FormatName } from './known-formats.ts';
import { knownFormats } from './known-formats.ts';
import { linesOf, textOf } from './lines.ts';
import { unpack } from './unpack.ts';

/** Every format that a caller can specify. */
export const FORMAT_NAMES: readonly Exclude<FormatName, 'mixed'>[] = [
  ...new Set([...JSON_FORMATS, ...BODY_FORMATS].map(({ name }) => name)),
  'otlp-protobuf',
];

export interface DetectOptions {
  /** Unix milliseconds; used if a sender gives no time. */
  receivedAtMs: number;
  /** Decode only as this format. */
  hint?: Exclude<FormatName, 'mixed'>;
  /** The agent that sent a hook call, if known. */
  agent?: HookFramework | null;
  /** Limit for the decompressed body; 1 GB if omitted. */
  maxUnpackedBytes?: number;
}

export type Detected = Decoded & { format: FormatName };

/** Formats in which several records belong to one span by design: its start and its end, a run and its history. */
const PARTIAL_FORMATS: readonly JsonFormatName[] = [
  'hooks',
  'openai-agents',
  'langsmith',
  'langgraph-run',
  'langgraph-history',
  'dify',
  'openclaw',
  'cline-session',
];

const ONE_GB = 1_000_000_000;
const SNIFFED_BYTES = 4096;

/**
 * Spans of a body of unknown format: OTLP as JSON, JSON lines or protobuf; evaluation records, TRAIL traces, hook calls,
 * exports of the OpenAI Agents SDK and of LangSmith, runs and histories of a LangGraph server, our own or plain spans,
 * conversations as messages or turns. Each of them alone, in an array or one per line, and optionally compressed with gzip.
 * A bad line or element only affects itself: its rejection points to `line N` or `/N`.
 * @throws AppError `malformed` if no part of the body is known, `payload_too_large` if it decompresses to too much
 */
export function decodeAny(body: Buffer, options: DetectOptions): Detected {
  const unpacked = unpack(body, options.maxUnpackedBytes ?? ONE_GB);
  if (options.hint === 'otlp-protobuf') return decodeProtobuf(unpacked);
  const first = firstCharacter(unpacked);
  if (first === '') throw new AppError('malformed', `The input is empty. ${knownFormats()}`);
  const whole = BODY_FORMATS.find(({ name, matches }) => (options.hint ?? name) === name && matches(unpacked));
  if (whole !== undefined) return decodeWhole(whole, unpacked);
  const read = first === '{' || first === '[' ? new Reading(options).read(unpacked) : null;
  if (read?.isKnown) return read.result();
  const wire = options.hint === undefined ? tryProtobuf(unpacked) : null;
  if (wire !== null) return wire;
  throw new AppError(
    'malformed',
    `The input has no known format: it ${read?.seen ?? 'does not start like JSON'}. ${knownFormats()}`,
  );
}

function decodeWhole({ name, decode }: BodyFormat, body: Buffer): Detected {
  try {
    return { ...decode(body), format: name };
  } catch (error) {
    if (error instanceof RangeError) throw new AppError('malformed', 'The input is nested too deep.');
    throw error;
  }
}

/** State of reading a body of JSON documents. */
class Reading {
  isKnown = false;
  /** Description of the first unknown document. */
  seen: string | null = null;
  private readonly formats: readonly JsonFormat[];
  private readonly agent: HookFramework | null;
  private readonly found = new Set<JsonFormatName>();
  private readonly spans: Span[] = [];
  private readonly rejections: Rejection[] = [];
  private documents = 0;
  /** Documents without a time keep their order: each starts one millisecond after the end of the previous one. */
  private clockMs: number;

  constructor(options: DetectOptions) {
    this.clockMs = options.receivedAtMs;
    this.agent = options.agent ?? null;
    this.formats = JSON_FORMATS.filter(({ name }) => options.hint === undefined || name === options.hint);
  }

  read(body: Buffer): this {
    const whole = wholeDocument(body);
    if (whole === null) this.readLines(body);
    else if (Array.isArray(whole.value) && !this.isOneDocument(whole.value)) this.readElements(whole.value);
    else this.addDocument(whole.value, whole.text, '');
    return this;
  }

  result(): Detected {
    const [format, ...others] = this.found;
    const spans = PARTIAL_FORMATS.some((partial) => this.found.has(partial)) ? mergeSpans(this.spans) : this.spans;
    return { spans: joinTraces(spans), rejections: this.rejections, format: others.length === 0 ? format! : 'mixed' };
  }

  /** A thread's history is a list that can only be decoded as a whole. */
  private isOneDocument(list: Json[]): boolean {
    return this.formats.some((format) => format.matches(list));
  }

  private readElements(elements: readonly Json[]): void {
    for (const [at, value] of elements.entries()) this.addDocument(value, null, `/${at}`);
  }

  private readLines(body: Buffer): void {
    for (const { number, text } of linesOf(body)) {
      const value = text === null ? undefined : parseJson(text);
      if (value === undefined) this.reject(`line ${number}`, text === null ? 'too large' : 'not JSON');
      else this.addDocument(value, text, `line ${number}`);
    }
  }

  private addDocument(value: Json, text: string | null, place: string): void {
    const format = this.formats.find((candidate) => candidate.matches(value));
    if (format === undefined) {
      this.reject(place, `unknown: ${describe(value)}`, describe(value));
      return;
    }
    this.isKnown = true;
    this.found.add(format.name);
    if (this.documents > 0) this.clockMs += 1 + (format.lastedMs?.(value) ?? 0);
    this.documents += 1;
    try {
      const { spans, rejections } = format.decode({ value, text, receivedAtMs: this.clockMs, agent: this.agent });
      for (const span of spans) this.spans.push(span);
      for (const { pointer, message } of rejections) this.reject(`${place}${pointer}`, message);
    } catch (error) {
      if (place === '' && error instanceof AppError) throw error;
      // A RangeError means JSON nested deeper than the call stack; anything else is a bug.
      if (!(error instanceof AppError || error instanceof RangeError)) throw error;
      this.reject(place, error instanceof AppError ? error.message : 'nested too deep');
    }
  }

  private reject(pointer: string, message: string, seen = message): void {
    this.rejections.push({ pointer, message });
    this.seen ??= pointer === '' ? `is ${seen}` : `has in ${pointer} ${seen}`;
  }
}

/** The body as one document: a single line, pretty-printed, or an array over several lines. */
function wholeDocument(body: Buffer): { value: Json; text: string } | null {
  const lines = linesOf(body);
  const { value: first } = lines.next();
  const firstValue = first?.text ? parseJson(first.text) : undefined;
  const isOneLine = lines.next().done === true;
  if (firstValue !== undefined) return isOneLine ? { value: firstValue, text: first!.text! } : null;
  const text = isOneLine ? null : textOf(body);
  const value = text === null ? undefined : parseJson(text);
  return value === undefined ? null : { value, text: text! };
}

function decodeProtobuf(body: Buffer): Detected {
  const { spans, rejections } = decodeOtlpProtobuf(body);
  return { spans: joinTraces(agentSpans(spans)), rejections, format: 'otlp-protobuf' };
}

/** Joins spans whose run is only known from the whole input. */
function joinTraces(spans: Span[]): Span[] {
  return n8nSpans(spans, false).spans;
}

/** Any bytes can be an empty protobuf message, so only spans or rejected spans identify the format. */
function tryProtobuf(body: Buffer): Detected | null {
  try {
    const decoded = decodeProtobuf(body);
    return decoded.spans.length + decoded.rejections.length > 0 ? decoded : null;
  } catch (error) {
    if (error instanceof AppError && error.code === 'malformed') return null;
    throw error;
  }
}

/** The first non-white-space character; empty if there is none. */
export function firstCharacter(body: Buffer): string {
  return textOf(body.subarray(0, SNIFFED_BYTES))?.charAt(0) ?? '';
}

const KEYS_NAMED = 8;

function describe(value: Json): string {
  if (Array.isArray(value)) return 'a list';
  if (!isJsonObject(value)) return `a ${value === null ? 'null' : typeof value}`;
  const keys = Object.keys(value)
    .slice(0, KEYS_NAMED)
    .map((key) => key.slice(0, 40));
  return keys.length === 0 ? 'an empty object' : `an object with the keys ${keys.join(', ')}`;
}
