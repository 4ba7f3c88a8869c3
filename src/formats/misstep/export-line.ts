import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';

/** Version of the lines beside spans in a tenant's export. */
export const EXPORT_LINE_FORMAT = 'misstep.export/1';

/** A line of an export that is no span: its beginning and end, a setting, a detection, a word on one. */
export function isExportLine(value: Json | undefined): value is JsonObject {
  return isJsonObject(value) && value.format === EXPORT_LINE_FORMAT;
}
