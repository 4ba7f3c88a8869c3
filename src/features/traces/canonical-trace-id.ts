/** Hex ids are stored in lower case, whatever case the request uses; other ids are unchanged. */
export function canonicalTraceId(traceId: string): string {
  return /^[0-9A-Fa-f]{32}$/.test(traceId) ? traceId.toLowerCase() : traceId;
}
