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
  for (const [at, use] of uses.entries()) {
    const record = use.failedBy === 'result' ? recordOf(use) : null;
    if (record === null) continue;
    const isListed = uses
      .slice(0, at)
      .some((earlier) => earlier.failure === null && objectsIn(resultOf(earlier)).some((one) => isSame(one, record)));
    if (isListed) found.add(use);
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

function isSame(listed: JsonObject, { status, keys }: RecordOf): boolean {
  if (listed.status !== status) return false;
  return Object.values(listed).some((value) => isValue(value ?? null) && keys.includes(String(value)));
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
