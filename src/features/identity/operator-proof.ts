import { createHmac, timingSafeEqual } from 'node:crypto';

/** The server's end of a TCP connection, as both the server and the client see it. */
export interface ServerEnd {
  address: string;
  port: number;
}

export const CHALLENGE_HEADER = 'X-SVC-Challenge';
export const PROOF_HEADER = 'X-SVC-Proof';

const CHALLENGE = /^[0-9a-f]{64}$/;

/** 32 random bytes in hex. */
export function isChallenge(text: unknown): text is string {
  return typeof text === 'string' && CHALLENGE.test(text);
}

/**
 * HMAC-SHA256 with the operator token as key, hex: proves that a server has the token without sending it. It covers the
 * server's end of the connection, so that a process on another port cannot relay the challenge and use the response.
 */
export function operatorProof(token: string, challenge: string, { address, port }: ServerEnd): string {
  const bare = address.toLowerCase().replace(/^::ffff:(?=\d+\.)/, '');
  return createHmac('sha256', token).update(`misstep operator proof 1\n${challenge}\n${bare}\n${port}`).digest('hex');
}

/** In constant time. */
export function isOperatorProof(proof: unknown, token: string, challenge: string, end: ServerEnd): boolean {
  const expected = Buffer.from(operatorProof(token, challenge, end));
  const actual = Buffer.from(typeof proof === 'string' ? proof : '');
  return actual.length === expected.length && timingSafeEqual(actual, expected);
}
