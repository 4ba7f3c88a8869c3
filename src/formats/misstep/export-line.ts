import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';

/** Version of the non-span lines in a tenant's export. */
export const EXPORT_LINE_FORMAT = 'misstep.export/1';

/** Whether it is a line of an export other than a span: its start and end, a setting, a detection, feedback. */
export function isExportLine(value: Json | undefined): value is JsonObject {
  return isJsonObject(value) && value.format === EXPORT_LINE_FORMAT;
}
