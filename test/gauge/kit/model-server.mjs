// A model server with the Chat Completions, Responses and Embeddings APIs. A script computes each response from the conversation.
import { createServer } from 'node:http';
import { chatAnswer, chatTurn } from './chat-wire.mjs';
import { advance, hashOf, random } from './fixed-environment.mjs';
import { responsesAnswer, responsesTurn } from './responses-wire.mjs';

const MS_PER_TOKEN = 14;
const FIRST_TOKEN_MS = 380;
const DIMENSIONS = 12;

export const tokensOf = (text) => Math.max(1, Math.ceil([...text].reduce((sum, sign) => sum + weightOf(sign), 0)));
/** Latin text has about four characters a token, other scripts about one and a half. */
const weightOf = (sign) => (sign.codePointAt(0) < 0x250 ? 0.25 : 0.7);

export async function openModelServer() {
  let script = () => 'ok';
  const server = createServer((request, response) => {
    const parts = [];
    request.on('data', (part) => parts.push(part));
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(parts).toString('utf8'));
      try {
        answer(request.url, body, response, script);
      } catch (error) {
        console.error('script failed:', error);
        response.writeHead(500).end(JSON.stringify({ error: { message: `script: ${error.message}` } }));
      }
    });
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${server.address().port}/v1`,
    play(next) {
      script = next;
    },
    close: () => server.close(),
  };
}

function answer(path, body, response, script) {
  if (path.endsWith('/embeddings')) return send(response, embeddings(body));
  const isResponses = path.endsWith('/responses');
  const reply = asReply(script(isResponses ? responsesTurn(body) : chatTurn(body)));
  if (reply.status) {
    advance(900);
    response.writeHead(reply.status, { 'content-type': 'application/json' });
    return response.end(
      JSON.stringify({ error: { message: reply.error, type: 'server_error', code: reply.code ?? null } }),
    );
  }
  const written = tokensOf(`${reply.text ?? ''}${JSON.stringify(reply.calls ?? '')}`);
  advance(FIRST_TOKEN_MS + random() * 400 + written * MS_PER_TOKEN);
  const stamp = {
    id: hashOf(`${random()}`).toString(16).padStart(8, '0'),
    seconds: Math.floor(Date.now() / 1000),
    input: tokensOf(JSON.stringify(body.messages ?? body.input)) + tokensOf(JSON.stringify(body.tools ?? '')),
    output: written + 4,
  };
  return send(response, isResponses ? responsesAnswer(body, reply, stamp) : chatAnswer(body, reply, stamp));
}

/** A script returns a text, `{ call: [name, args] }`, `{ calls: […] }`, or an error status. */
function asReply(reply) {
  if (typeof reply === 'string') return { text: reply, calls: [] };
  const calls = reply.calls ?? (reply.call ? [reply.call] : []);
  return { ...reply, calls: calls.map(([name, args = {}]) => ({ name, args })) };
}

function send(response, { json, events }) {
  if (json) {
    response.writeHead(200, { 'content-type': 'application/json' });
    return response.end(JSON.stringify(json));
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const event of events)
    response.write(
      `${event.type ? `event: ${event.type}\n` : ''}data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`,
    );
  return response.end();
}

/** A hashed bag of words, so that texts with the same words are similar. */
function embeddings({ input, model }) {
  const texts = [input].flat();
  const data = texts.map((text, index) => {
    const vector = new Array(DIMENSIONS).fill(0.01);
    for (const word of String(text)
      .toLowerCase()
      .match(/\p{L}{3,}/gu) ?? [])
      vector[hashOf(word.slice(0, 5)) % DIMENSIONS] += 1;
    return { object: 'embedding', index, embedding: vector };
  });
  const used = tokensOf(texts.join(' '));
  advance(60);
  return { json: { object: 'list', data, model, usage: { prompt_tokens: used, total_tokens: used } } };
}
