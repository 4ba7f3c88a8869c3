import { AppError } from '../../core/app-error.ts';
import { isJsonObject, type JsonObject, parseJson } from '../../core/json.ts';

export interface N8nPage {
  items: JsonObject[];
  /** Cursor of the next page; null after the last. */
  cursor: string | null;
}

/** The maximum page size of n8n. */
const MAX_ITEMS = 250;

/** Reads a list of the public API. @throws AppError `conflict` for anything else */
export function readN8nPage(body: Buffer): N8nPage {
  const { data, nextCursor } = readN8nObject(body);
  if (!Array.isArray(data)) throw notN8n();
  if (data.length > MAX_ITEMS)
    throw new AppError('conflict', `n8n answered with more than ${MAX_ITEMS} items on a page.`);
  return {
    items: data.filter(isJsonObject),
    cursor: typeof nextCursor === 'string' && nextCursor !== '' ? nextCursor : null,
  };
}

/** Reads one object of the public API. @throws AppError `conflict` for anything else */
export function readN8nObject(body: Buffer): JsonObject {
  const value = parseJson(body.toString());
  if (!isJsonObject(value)) throw notN8n();
  return value;
}

function notN8n(): AppError {
  return new AppError('conflict', 'The server at this address is not the public API of n8n.');
}
