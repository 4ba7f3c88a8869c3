import { AppError } from '../../core/app-error.ts';
import { isJsonObject, type JsonObject, parseJson } from '../../core/json.ts';

export interface DifyLogPage {
  /** Entries of the log, each with the summary of a run. */
  items: JsonObject[];
  hasMore: boolean;
}

/** The maximum page size of Dify. */
export const MAX_LOG_ENTRIES = 100;

/** @throws AppError `conflict` for anything but a page of a log */
export function readDifyLogPage(body: Buffer): DifyLogPage {
  const value = parseJson(body.toString());
  if (!isJsonObject(value) || !Array.isArray(value.data))
    throw new AppError('conflict', 'The URL is not the service API of Dify.');
  if (value.data.length > MAX_LOG_ENTRIES)
    throw new AppError('conflict', `Dify answered with more than ${MAX_LOG_ENTRIES} entries on a page.`);
  const items = value.data.filter(isJsonObject);
  // Without an entry the next page would be the same page again.
  return { items, hasMore: value.has_more === true && items.length > 0 };
}
