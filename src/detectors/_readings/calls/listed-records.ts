import { isJsonObject, type Json, type JsonObject, leafTexts, parseJson } from '../../../core/json.ts';

/** The parts of a call that are read. */
interface RecordedCall {
  arguments: Json;
  resultText: string;
  failure: object | null;
  failedBy: 'span' | 'result' | null;
}

/** A longer result is not read. */
const MAX_LENGTH = 50_000;
/** A shorter text, such as `1`, occurs by chance. */
const MIN_KEY_LENGTH = 2;

/**
 * Calls whose result reports a failure that is data: it describes a record, by a value that the call requested, and an
 * earlier result listed that record with the same status.
 */
export function listedRecords<Use extends RecordedCall>(uses: readonly Use[]): ReadonlySet<Use> {
  const found = new Set<Use>();
  if (!uses.some(({ failedBy }) => failedBy === 'result')) return found;
  const listed = new Set<string>();
  for (const use of uses) {
    const record = use.failedBy === 'result' ? recordOf(use) : null;
    if (record?.keys.some((key) => listed.has(pairOf(record.status, key))) === true) found.add(use);
    if (use.failure !== null) continue;
    for (const object of objectsIn(resultOf(use))) for (const pair of pairsIn(object)) listed.add(pair);
  }
  return found;
}

interface RecordOf {
  status: string;
  /** Values that the call requested and the result repeats. */
  keys: readonly string[];
}

function recordOf(use: RecordedCall): RecordOf | null {
  const result = resultOf(use);
  if (!isJsonObject(result) || typeof result.status !== 'string') return null;
  const requested = new Set(leafTexts(use.arguments).filter(({ length }) => length >= MIN_KEY_LENGTH));
  const keys = Object.entries(result).flatMap(([name, value]) =>
    name !== 'status' && isValue(value) && requested.has(String(value)) ? [String(value)] : [],
  );
  return keys.length === 0 ? null : { status: result.status, keys };
}

/** The status of an object with each of its values. */
function pairsIn(object: JsonObject): string[] {
  const { status } = object;
  if (typeof status !== 'string') return [];
  return Object.values(object).flatMap((value) => (isValue(value) ? [pairOf(status, String(value))] : []));
}

function pairOf(status: string, value: string): string {
  return `${status}\n${value}`;
}

function isValue(value: Json | undefined): boolean {
  return typeof value === 'string' || typeof value === 'number';
}

function resultOf({ resultText }: RecordedCall): Json {
  if (resultText.length > MAX_LENGTH || !/^\s{0,20}[[{]/.test(resultText)) return null;
  return parseJson(resultText) ?? null;
}

function objectsIn(value: Json): JsonObject[] {
  if (Array.isArray(value)) return value.flatMap(objectsIn);
  return isJsonObject(value) ? [value, ...Object.values(value).flatMap((one) => objectsIn(one ?? null))] : [];
}
