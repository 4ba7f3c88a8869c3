import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { Json } from '../../src/core/json.ts';
import { listenLocally } from './local-server.ts';

export interface ReceivedPost {
  path: string;
  headers: IncomingHttpHeaders;
  // biome-ignore lint/suspicious/noExplicitAny: tests read bodies of all shapes
  json: any;
  text: string;
}

export interface ScriptedResponse {
  status: number;
  headers?: Record<string, string>;
  body?: string | Json;
  /** The connection breaks without a response. */
  isBroken?: boolean;
  /** No response is sent. */
  isHeld?: boolean;
}

/** A local HTTP server that records requests and sends scripted responses, then 200. */
export interface WebhookReceiver {
  url: string;
  port: number;
  posts: ReceivedPost[];
  /** The next responses, in order. */
  responses: ScriptedResponse[];
  /** Response to a request after the scripted ones. */
  respond: (post: ReceivedPost) => ScriptedResponse;
  /** Closes all open connections, including those whose response is held. */
  dropConnections(): void;
  close(): Promise<void>;
}

export async function startReceiver(
  respond: WebhookReceiver['respond'] = () => ({ status: 200, body: 'ok' }),
): Promise<WebhookReceiver> {
  const posts: ReceivedPost[] = [];
  const responses: ScriptedResponse[] = [];
  const receiver = { posts, responses, respond, dropConnections: () => server.closeAllConnections() };
  const server = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      const post = { path: incoming.url ?? '', headers: incoming.headers, text, json: JSON.parse(text || 'null') };
      posts.push(post);
      const answer = responses.shift() ?? receiver.respond(post);
      if (answer.isHeld) return;
      if (answer.isBroken) return void incoming.socket.destroy();
      outgoing.writeHead(answer.status, answer.headers);
      outgoing.end(
        typeof answer.body === 'string' ? answer.body : answer.body === undefined ? '' : JSON.stringify(answer.body),
      );
    });
  });
  return Object.assign(receiver, await listenLocally(server));
}
