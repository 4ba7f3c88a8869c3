import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { listenLocally } from './local-server.ts';
import { sendJson } from './send-json.ts';

export interface JudgeRequest {
  path: string;
  headers: IncomingHttpHeaders;
  // biome-ignore lint/suspicious/noExplicitAny: tests read bodies of two protocols
  body: any;
  /** System text and user text, in either protocol. */
  system: string;
  user: string;
}

/** What the server does with a request: text of a model, or the whole response. */
export type JudgeBehaviour = (request: JudgeRequest, nth: number) => string | ((response: ServerResponse) => void);

export interface JudgeServer {
  url: string;
  requests: JudgeRequest[];
  behave(behaviour: JudgeBehaviour): void;
  close(): Promise<void>;
}

/** A model behind both protocols on a loopback port; it answers no by default. */
export async function startJudgeServer(): Promise<JudgeServer> {
  let behaviour: JudgeBehaviour = () => '{"answer":"no","reason":"nothing wrong"}';
  const requests: JudgeRequest[] = [];
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const body = JSON.parse(Buffer.concat(parts).toString() || '{}');
    const path = request.url ?? '';
    const isAnthropic = path.endsWith('/messages');
    const texts = isAnthropic ? [body.system, body.messages[0].content] : body.messages.map(contentOf);
    const seen = { path, headers: request.headers, body, system: texts[0], user: texts[1] };
    requests.push(seen);
    const answer = behaviour(seen, requests.length);
    if (typeof answer === 'function') return answer(response);
    sendJson(response, 200, isAnthropic ? anthropicMessage(body.model, answer) : openaiCompletion(body.model, answer));
  });
  return {
    ...(await listenLocally(server)),
    requests,
    behave(next) {
      behaviour = next;
    },
  };
}

function contentOf(message: { content: string }): string {
  return message.content;
}

/** A chat completion as OpenAI and compatible servers return it. */
export function openaiCompletion(model: string, content: string | null) {
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1_768_478_400,
    model,
    choices: [
      { index: 0, message: { role: 'assistant', content, refusal: null }, logprobs: null, finish_reason: 'stop' },
    ],
    usage: { prompt_tokens: 400, completion_tokens: 20, total_tokens: 420 },
    system_fingerprint: 'fp_1',
  };
}

/** A message as Anthropic returns it, with a thinking block before the text. */
export function anthropicMessage(model: string, text: string) {
  return {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model,
    content: [
      { type: 'thinking', thinking: 'Let me see.', signature: 'c2ln' },
      { type: 'text', text },
    ],
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: 300, cache_creation_input_tokens: 0, cache_read_input_tokens: 100, output_tokens: 20 },
  };
}
