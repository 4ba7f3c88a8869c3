import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { Json } from '../../src/core/json.ts';
import { listenLocally } from './local-server.ts';

/** A local server with one JSON document under every path: GET answers it, PUT and PATCH replace it. */
export interface DocumentServer {
  url: string;
  document: Json;
  /** Methods, credentials and conditions it was asked with, in order. */
  asked: { method: string; authorization: string | undefined; ifMatch: string | undefined }[];
  /** Answers writes with this status, before or after it has taken them; null: as it should. */
  fault: { status: number; hasWritten: boolean } | null;
  /** What it makes of a document that it is given. */
  store(document: Json): Json;
  /** Called before a write is carried out; it waits for the result. */
  beforeWrite(): Promise<void>;
  hasTags: boolean;
  close(): Promise<void>;
}

export async function startDocumentServer(document: Json): Promise<DocumentServer> {
  const held: DocumentServer = {
    url: '',
    document,
    asked: [],
    fault: null,
    store: (given) => given,
    beforeWrite: async () => {},
    hasTags: true,
    close: async () => {},
  };
  const tag = () => `"${createHash('sha256').update(JSON.stringify(held.document)).digest('hex').slice(0, 12)}"`;
  const server = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', async () => {
      const { method = '', headers } = incoming;
      held.asked.push({ method, authorization: headers.authorization, ifMatch: headers['if-match'] });
      const answer = (status: number) => {
        outgoing.writeHead(status, { 'content-type': 'application/json', ...(held.hasTags ? { etag: tag() } : {}) });
        outgoing.end(JSON.stringify(held.document));
      };
      if (method === 'GET') return answer(200);
      await held.beforeWrite();
      if (headers['if-match'] !== undefined && headers['if-match'] !== tag()) return answer(412);
      if (held.fault === null || held.fault.hasWritten)
        held.document = held.store(JSON.parse(String(Buffer.concat(chunks))));
      answer(held.fault?.status ?? 200);
    });
  });
  const { url, close } = await listenLocally(server);
  return Object.assign(held, { url: `${url}/config`, close });
}
