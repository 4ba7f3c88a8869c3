import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { readAnthropic, writeAnthropic } from './anthropic.ts';
import { readChat, writeChat } from './chat.ts';
import { readGemini, writeGemini } from './gemini.ts';
import { readResponses, writeResponses } from './responses.ts';
import type { ModelReply, ModelScript, ModelTurn, ModelUsage } from './script.ts';
import { isObject, type Loose, type Stamp, type WireAnswer } from './wire.ts';

/** A server with the model APIs of OpenAI, Anthropic and Google that returns scripted responses. */
export interface ScriptedModel {
  /** `http://127.0.0.1:PORT`; the OpenAI APIs are below `/v1`. */
  url: string;
  close(): Promise<void>;
}

/** Handles requests that are not model requests; false for unknown ones. */
type OtherRequest = (path: string, request: IncomingMessage, body: Buffer, response: ServerResponse) => boolean;

export async function serveModel(
  script: ModelScript,
  usage: ModelUsage,
  { port = 0, other = () => false }: { port?: number; other?: OtherRequest } = {},
): Promise<ScriptedModel> {
  let number = 0;
  const server = createServer(async (request, response) => {
    const body = await bodyOf(request);
    const path = new URL(request.url ?? '/', 'http://model').pathname;
    number += 1;
    if (other(path, request, body, response)) return;
    const stamp = { number, unixSeconds: Math.floor(Date.now() / 1000), usage };
    send(response, answer(path, readJson(body), script, stamp));
  });
  // WebSocket variants of the APIs are refused, so that programs fall back to HTTP.
  server.on('upgrade', (_request, socket) => socket.end('HTTP/1.1 426 Upgrade Required\r\n\r\n'));
  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => closed(server) };
}

function answer(path: string, body: Loose, script: ModelScript, stamp: Stamp): WireAnswer {
  const reply = (turn: ModelTurn, write: (modelReply: ModelReply) => WireAnswer): WireAnswer => {
    const result = script(turn);
    if (!('refusal' in result)) return write(result);
    const { status, ...error } = result.refusal;
    return { status, json: { error } };
  };
  if (path.endsWith('/count_tokens')) return { json: { input_tokens: stamp.usage.fresh } };
  if (path.includes(':countTokens')) return { json: { totalTokens: stamp.usage.fresh } };
  if (path.endsWith('/messages')) return reply(readAnthropic(body), (entry) => writeAnthropic(body, entry, stamp));
  if (path.endsWith('/chat/completions')) return reply(readChat(body), (item) => writeChat(body, item, stamp));
  if (path.endsWith('/responses'))
    return reply(readResponses(body), (modelReply) => writeResponses(body, modelReply, stamp));
  if (path.includes('enerateContent'))
    return reply(readGemini(body, path), (modelReply) => writeGemini(modelReply, path, stamp));
  if (path.endsWith('/models')) return { json: { object: 'list', data: [], models: [] } };
  return { status: 404, json: { error: { message: 'no such path', type: 'not_found_error' } } };
}

function send(response: ServerResponse, given: WireAnswer): void {
  if ('json' in given) {
    response.writeHead(given.status ?? 200, { 'content-type': 'application/json' }).end(JSON.stringify(given.json));
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  if ('events' in given) {
    for (const event of given.events) response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
    response.end();
    return;
  }
  for (const chunk of given.chunks) response.write(`data: ${JSON.stringify(chunk)}\n\n`);
  response.end(given.isEndless ? '' : 'data: [DONE]\n\n');
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const bytes = Buffer.concat(parts);
  return request.headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes;
}

function readJson(body: Buffer): Loose {
  try {
    const value: unknown = JSON.parse(body.toString() || '{}');
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((done) => server.close(() => done()));
}
