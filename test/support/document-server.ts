import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { Json } from '../../src/core/json.ts';
import { listenLocally } from './local-server.ts';

/** A local server with one JSON document under every path: GET returns it, PUT and PATCH replace it. */
export interface DocumentServer {
  url: string;
  document: Json;
  /** Methods, credentials and conditions of the requests, in order. */
  requests: { method: string; authorization: string | undefined; ifMatch: string | undefined }[];
  /** Responds to writes with this status, before or after applying them; null: normal responses. */
  fault: { status: number; hasWritten: boolean } | null;
  /** How it changes a document before storing it. */
  store(document: Json): Json;
  /** Called before a write is applied, which waits for it. */
  beforeWrite(): Promise<void>;
  hasTags: boolean;
  close(): Promise<void>;
}

export async function startDocumentServer(document: Json): Promise<DocumentServer> {
  const state: DocumentServer = {
    url: '',
    document,
    requests: [],
    fault: null,
    store: (given) => given,
    beforeWrite: async () => {},
    hasTags: true,
    close: async () => {},
  };
  const tag = () => `"${createHash('sha256').update(JSON.stringify(state.document)).digest('hex').slice(0, 12)}"`;
  const server = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', async () => {
      const { method = '', headers } = incoming;
      state.requests.push({ method, authorization: headers.authorization, ifMatch: headers['if-match'] });
      const respond = (status: number) => {
        outgoing.writeHead(status, { 'content-type': 'application/json', ...(state.hasTags ? { etag: tag() } : {}) });
        outgoing.end(JSON.stringify(state.document));
      };
      if (method === 'GET') return respond(200);
      await state.beforeWrite();
      if (headers['if-match'] !== undefined && headers['if-match'] !== tag()) return respond(412);
      if (state.fault === null || state.fault.hasWritten)
        state.document = state.store(JSON.parse(String(Buffer.concat(chunks))));
      respond(state.fault?.status ?? 200);
    });
  });
  const { url, close } = await listenLocally(server);
  return Object.assign(state, { url: `${url}/config`, close });
}
