import { AppError } from '../../core/app-error.ts';
import { isJsonObject, type JsonObject, parseJson } from '../../core/json.ts';

export interface DifyLogPage {
  /** Entries of the log, each with the summary of a run. */
  items: JsonObject[];
  hasMore: boolean;
}

/** @throws AppError `conflict` for what is no page of a log */
export function readDifyLogPage(body: Buffer): DifyLogPage {
  const value = parseJson(body.toString());
  if (!isJsonObject(value) || !Array.isArray(value.data))
    throw new AppError('conflict', 'What answers there is not the service API of Dify.');
  const items = value.data.filter(isJsonObject);
  // Without an entry the next page would be this one again.
  return { items, hasMore: value.has_more === true && items.length > 0 };
}
