import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { Json } from '../../src/core/json.ts';
import { listenLocally } from './local-server.ts';

export interface ReceivedPost {
  path: string;
  headers: IncomingHttpHeaders;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of all shapes
  json: any;
  text: string;
}

export interface ScriptedAnswer {
  status: number;
  headers?: Record<string, string>;
  body?: string | Json;
  /** The connection breaks without an answer. */
  isBroken?: boolean;
  /** No answer ever comes. */
  isHeld?: boolean;
}

/** A local HTTP server that keeps what it gets and answers as scripted, then 200. */
export interface WebhookReceiver {
  url: string;
  port: number;
  posts: ReceivedPost[];
  /** The next answers, in order. */
  answers: ScriptedAnswer[];
  /** What it answers once no script is left, by what it got. */
  judge: (post: ReceivedPost) => ScriptedAnswer;
  /** Ends every open connection, also one whose answer is held. */
  dropConnections(): void;
  close(): Promise<void>;
}

export async function startReceiver(
  judge: WebhookReceiver['judge'] = () => ({ status: 200, body: 'ok' }),
): Promise<WebhookReceiver> {
  const posts: ReceivedPost[] = [];
  const answers: ScriptedAnswer[] = [];
  const receiver = { posts, answers, judge, dropConnections: () => server.closeAllConnections() };
  const server = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      const post = { path: incoming.url ?? '', headers: incoming.headers, text, json: JSON.parse(text || 'null') };
      posts.push(post);
      const answer = answers.shift() ?? receiver.judge(post);
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
