import { AppError } from '../../core/app-error.ts';
import { assertJsonWithin, type JsonLimits } from '../../core/bounded-json.ts';
import { isJsonObject, type JsonObject, parseJson } from '../../core/json.ts';
import type { Decoded, Rejection } from '../../core/span.ts';
import { decodeRuns, partUnder } from './decode-run.ts';

const NEWLINE = Buffer.from('\r\n');
const HEADERS_END = Buffer.from('\r\n\r\n');
/** RFC 2046: at most 70 characters, preceded by two hyphens. */
const MAX_DELIMITER_BYTES = 72;

/** Whether a body looks like LangSmith's `POST /runs/multipart`. */
export function isRunsMultipart(body: Buffer): boolean {
  const delimiter = delimiterOf(body);
  if (delimiter === null) return false;
  const head = body.subarray(delimiter.length, delimiter.length + 200).toString('latin1');
  return /name="(?:post|patch|feedback|attachment)\./.test(head);
}

export interface MultipartOptions {
  /** Whether other bodies may contain more about the same runs. */
  isPartial?: boolean;
  /** Limits for all parts that are read together, without attachments. */
  limits?: JsonLimits & { maxBytes: number };
}

/**
 * A body of LangSmith's `POST /runs/multipart`: parts `post.<id>` and `patch.<id>` contain a run, `post.<id>.inputs` and
 * similar parts one field of it. Attachments and feedback are omitted. An unreadable part only affects itself: its
 * rejection points to `/<part name>`.
 * @throws AppError `malformed` if the body is not multipart, `payload_too_large`
 */
export function decodeRunsMultipart(body: Buffer, options: MultipartOptions = {}): Decoded {
  const delimiter = delimiterOf(body);
  if (delimiter === null) throw new AppError('malformed', 'The body does not start with a multipart delimiter.');
  const runs = new Map<string, { value: JsonObject; pointer: string }>();
  const rejections: Rejection[] = [];
  const broken = new Set<string>();
  const remaining = options.limits && new RemainingLimits(options.limits);
  for (const part of partsOf(body, delimiter)) {
    const place = placeOf(part.name);
    if (place === null) continue;
    const isTooDeep = remaining?.hasRoomFor(part.body) === false;
    const value = isTooDeep ? undefined : parseJson(part.body.toString('utf8'));
    const run = runs.get(place.key) ?? { value: { id: place.id }, pointer: `/${place.key}` };
    if (value === undefined)
      rejections.push({ pointer: `/${part.name}`, message: isTooDeep ? 'nested too deep' : 'not JSON' });
    else if (place.field !== null) run.value[place.field] = value;
    else if (isJsonObject(value)) run.value = { ...run.value, ...value, id: place.id };
    else rejections.push({ pointer: `/${part.name}`, message: 'expected an object' });
    if (place.field === null && !isJsonObject(value)) broken.add(place.key);
    runs.set(place.key, run);
  }
  const whole = [...runs].flatMap(([key, run]) => (broken.has(key) ? [] : [run]));
  const decoded = decodeRuns(
    options.isPartial ? whole.map((run) => ({ ...run, part: partUnder(run.pointer) })) : whole,
  );
  return { spans: decoded.spans, rejections: [...rejections, ...decoded.rejections] };
}

/** Remaining limits for the parts of one body. */
class RemainingLimits {
  #bytes: number;
  #nodes: number;
  readonly #maxNodes: number;

  constructor({ maxBytes, maxNodes }: JsonLimits & { maxBytes: number }) {
    this.#maxNodes = maxNodes;
    this.#bytes = maxBytes;
    this.#nodes = maxNodes;
  }

  /** False for a part that is nested too deep. @throws AppError `payload_too_large` */
  hasRoomFor(body: Buffer): boolean {
    this.#bytes -= body.length;
    if (this.#bytes < 0) throw new AppError('payload_too_large', 'The runs of the body are too large.');
    try {
      this.#nodes -= assertJsonWithin(body, { maxNodes: this.#nodes });
      return true;
    } catch (error) {
      if (error instanceof AppError && error.code === 'malformed') return false;
      throw new AppError('payload_too_large', `The runs have more than ${this.#maxNodes} values and member names.`);
    }
  }
}

interface Part {
  name: string;
  body: Buffer;
}

function* partsOf(body: Buffer, delimiter: Buffer): Generator<Part> {
  const separator = Buffer.concat([NEWLINE, delimiter]);
  for (let from = delimiter.length + NEWLINE.length; from < body.length; ) {
    const end = body.indexOf(separator, from);
    const part = body.subarray(from, end < 0 ? body.length : end);
    const headersEnd = part.indexOf(HEADERS_END);
    const name = nameIn(part.subarray(0, Math.max(headersEnd, 0)).toString('utf8'));
    if (name !== undefined) yield { name, body: part.subarray(headersEnd + HEADERS_END.length) };
    if (end < 0) return;
    from = end + separator.length + NEWLINE.length;
  }
}

/** The parameter `name` of a part's headers, quoted or not; `filename` is a different parameter. */
function nameIn(headers: string): string | undefined {
  const found = /[;\s]name=(?:"([^"]{1,300})"|([^\s;"]{1,300}))/.exec(headers);
  return found?.[1] ?? found?.[2];
}

/** Fields that are sent in separate parts and are read. Others (events, serialized classes) are irrelevant for the step. */
const FIELDS: readonly string[] = ['inputs', 'outputs', 'extra', 'error'];

/** `post.<id>` or `post.<id>.<field>`. */
function placeOf(name: string): { key: string; id: string; field: string | null } | null {
  const [verb, id, field] = name.split('.');
  if ((verb !== 'post' && verb !== 'patch') || id === undefined || id === '') return null;
  if (field !== undefined && !FIELDS.includes(field)) return null;
  return { key: `${verb}.${id}`, id, field: field ?? null };
}

function delimiterOf(body: Buffer): Buffer | null {
  if (body[0] !== 0x2d || body[1] !== 0x2d) return null;
  const end = body.subarray(0, MAX_DELIMITER_BYTES + NEWLINE.length).indexOf(NEWLINE);
  return end < 3 ? null : body.subarray(0, end);
}
