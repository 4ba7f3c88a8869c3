/** Hex ids are stored in lower case, whatever case they are asked for in; other ids stay as they are. */
export function canonicalTraceId(traceId: string): string {
  return /^[0-9A-Fa-f]{32}$/.test(traceId) ? traceId.toLowerCase() : traceId;
}
