/**
 * Parts that change between two runs of the same call although nothing happened: clock times, durations, addresses,
 * temporary paths, ids of requests and runs, and the ids that shells of coding agents add to output. Dates without a time
 * are kept because they are part of the request. Counts, percentages and ids of things are kept because they distinguish
 * items.
 */
const VOLATILE: readonly [cue: string | ((text: string) => boolean), RegExp, string][] = [
  [hasClockTime, /\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?/g, '<time>'],
  [hasClockTime, /\b\d\d:\d\d:\d\d(?:[.,]\d{1,9})?\b/g, '<time>'],
  ['s', /\b\d+(?:\.\d+)? ?(?:ns|µs|ms|msecs?|milliseconds?|secs?|seconds?|s)\b/g, '<duration>'],
  ['0x', /\b0x[0-9a-fA-F]{4,}\b/g, '<address>'],
  [
    hasUuidDashes,
    /\b((?:request|req|trace|span|run|session|correlation|invocation|operation|event|call|message|log|thread|sub_?agent\w{0,12}?)[-_ ]?id["']?\s{0,2}[:=]?\s{0,2}["']?)[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi,
    '$1<uuid>',
  ],
  [
    (text) => /(?:eq|st|ce|un)[-_]/.test(text),
    /\b(?:req|request|trace|run)[-_](?:id[-_=: ]*)?[0-9a-zA-Z]{6,}\b/g,
    '<request>',
  ],
  ['call', /\b(?:tool)?call[-_](?=[a-zA-Z]{0,40}\d)[0-9a-zA-Z]{8,}\b/g, '<call>'],
  ['toolu_', /\btoolu_[0-9a-zA-Z_]{8,}\b/g, '<call>'],
  ['/tmp/', /(?:\/private)?(?:\/var)?\/tmp\/[\w.+-]+/g, '<temp>'],
  ['Chunk ID', /\bChunk ID: ?[0-9a-zA-Z-]{3,40}/g, '<chunk>'],
  ['Wall time', /\bWall time:? ?\d[\d.]{0,12}(?: ?\w{1,12})?/g, '<duration>'],
  ['PGID', /\b(?:Process Group )?PGID: ?\d{1,10}/g, '<process>'],
  ['PID', /\bPIDs?: ?\d{1,10}/g, '<process>'],
  ['shellId', /\bshellId: ?\d{1,10}/g, '<process>'],
  ['session ID', /\brunning with session ID \d{1,10}/g, 'running with <session>'],
  ['', /[^\S ]\s*| \s+/g, ' '],
];

/** Whether a colon is between two digits. */
function hasClockTime(text: string): boolean {
  const isDigit = (at: number) => text.charCodeAt(at) >= 48 && text.charCodeAt(at) <= 57;
  for (let at = text.indexOf(':'); at !== -1; at = text.indexOf(':', at + 1))
    if (isDigit(at - 1) && isDigit(at + 1)) return true;
  return false;
}

/** Whether the text has four dashes at the distances of a UUID. */
function hasUuidDashes(text: string): boolean {
  const isDash = (at: number) => text.charCodeAt(at) === 45;
  for (let at = text.indexOf('-'); at !== -1; at = text.indexOf('-', at + 1))
    if (isDash(at + 5) && isDash(at + 10) && isDash(at + 15)) return true;
  return false;
}

export function withoutVolatile(text: string): string {
  let normal = text;
  for (const [cue, pattern, replacement] of VOLATILE)
    if (typeof cue === 'string' ? normal.includes(cue) : cue(normal)) normal = normal.replace(pattern, replacement);
  return normal.trim();
}

/** Argument names that differ in every call by design. */
const VOLATILE_NAMES = new Set([
  'timestamp',
  'request_id',
  'requestid',
  'trace_id',
  'traceid',
  'nonce',
  'idempotency_key',
  'call_id',
  'tool_call_id',
]);

export function isVolatileName(name: string): boolean {
  return VOLATILE_NAMES.has(name.toLowerCase());
}
