import { createSendRequest, type OutboundAnswer, type OutboundOptions } from './send-request.ts';

/** A JSON message to a user-supplied URL. */
export interface PostRequest {
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string;
}

/** As `SendRequest`; the first 4 KiB of the response body are kept. */
export type Post = (request: PostRequest) => Promise<OutboundAnswer>;

const MAX_ANSWER_BYTES = 4_096;

export function createPost(options: OutboundOptions): Post {
  const send = createSendRequest(options);
  return ({ url, headers, body }) =>
    send({
      method: 'POST',
      url,
      headers: { 'content-type': 'application/json', ...headers },
      body,
      maxAnswerBytes: MAX_ANSWER_BYTES,
    });
}
