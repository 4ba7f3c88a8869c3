/** One body as received, waiting to be stored or sent to a server. */
export interface SpoolEntry {
  receivedAtMs: number;
  /** Content type from the sender; null: detected from the body. */
  contentType: string | null;
  /** Tenant of the record; null for the default one. */
  tenantId: string | null;
  body: Uint8Array;
}

export interface DecodedSpool {
  entries: SpoolEntry[];
  /** Byte ranges that are not a whole entry, left by a crash during a write. */
  tornCount: number;
}

/** The first byte is a control character that JSON text never contains unescaped, so that reading can continue after a torn entry. */
const MARK = Buffer.from('\x1emisstep ');
const NEWLINE = 0x0a;

interface Header {
  bytes: number;
  received_at: number;
  content_type: string | null;
  tenant_id: string | null;
}

/** The frame: mark, header as one line of JSON, the unmodified body, a newline. */
export function encodeEntry(entry: SpoolEntry): Buffer {
  const header: Header = {
    bytes: entry.body.byteLength,
    received_at: entry.receivedAtMs,
    content_type: entry.contentType,
    tenant_id: entry.tenantId,
  };
  return Buffer.concat([MARK, Buffer.from(`${JSON.stringify(header)}\n`), entry.body, Buffer.from('\n')]);
}

/** Every whole entry, oldest first. Never throws: torn entries are counted and skipped. */
export function decodeSpool(bytes: Buffer): DecodedSpool {
  const decoded: DecodedSpool = { entries: [], tornCount: 0 };
  let at = 0;
  while (at < bytes.length) {
    const frame = frameAt(bytes, at);
    if (frame) {
      decoded.entries.push(frame.entry);
      at = frame.end;
      continue;
    }
    decoded.tornCount += 1;
    const next = bytes.indexOf(MARK, at + 1);
    at = next === -1 ? bytes.length : next;
  }
  return decoded;
}

function frameAt(bytes: Buffer, at: number): { entry: SpoolEntry; end: number } | null {
  if (!startsWithMark(bytes, at)) return null;
  const lineEnd = bytes.indexOf(NEWLINE, at);
  if (lineEnd === -1) return null;
  const header = readHeader(bytes.toString('utf8', at + MARK.length, lineEnd));
  if (!header) return null;
  const bodyEnd = lineEnd + 1 + header.bytes;
  const end = bodyEnd + 1;
  const body = bytes.subarray(lineEnd + 1, bodyEnd);
  const hasValidSuccessor = end === bytes.length || startsWithMark(bytes, end);
  // The length of a torn entry reaches into the next one, whose mark shows it.
  if (bytes[bodyEnd] !== NEWLINE || (!hasValidSuccessor && body.includes(MARK))) return null;
  const { received_at, content_type, tenant_id } = header;
  return { entry: { receivedAtMs: received_at, contentType: content_type, tenantId: tenant_id, body }, end };
}

function startsWithMark(bytes: Buffer, at: number): boolean {
  return bytes.subarray(at, at + MARK.length).equals(MARK);
}

function readHeader(line: string): Header | null {
  try {
    const header = JSON.parse(line) as Header;
    return Number.isSafeInteger(header.bytes) && header.bytes >= 0 && Number.isFinite(header.received_at)
      ? header
      : null;
  } catch {
    return null;
  }
}
