import { randomBytes } from 'node:crypto';
import { request } from 'node:http';
import { isIPv6 } from 'node:net';
import {
  CHALLENGE_HEADER,
  isOperatorProof,
  PROOF_HEADER,
  type ServerEnd,
} from '../features/identity/operator-proof.ts';

const TIMEOUT_MS = 5_000;
const CHALLENGE_BYTES = 32;

/**
 * Asks the server to prove that it has the token, without sending the token.
 * @returns the verified address, with the IP address in place of `localhost`; null if verification fails
 */
export async function verifyServer(server: string, token: string): Promise<string | null> {
  const challenge = randomBytes(CHALLENGE_BYTES).toString('hex');
  const answer = await ask(new URL('/livez', server), challenge);
  if (answer === null || !isOperatorProof(answer.proof, token, challenge, answer.end)) return null;
  const { origin, hostname } = new URL(server);
  // A name may resolve to several addresses, where different programs listen.
  return hostname === 'localhost' ? `http://${bracketed(answer.end.address)}:${answer.end.port}` : origin;
}

function ask(url: URL, challenge: string): Promise<{ proof: unknown; end: ServerEnd } | null> {
  return new Promise((resolve) => {
    const headers = { [CHALLENGE_HEADER]: challenge };
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const outgoing = request(url, { headers, agent: false, signal }, (incoming) => {
      const { remoteAddress, remotePort } = incoming.socket;
      incoming.destroy();
      if (!remoteAddress || !remotePort) return resolve(null);
      const proof = incoming.headers[PROOF_HEADER.toLowerCase()];
      resolve({ proof, end: { address: remoteAddress, port: remotePort } });
    });
    outgoing.on('error', () => resolve(null));
    outgoing.end();
  });
}

function bracketed(address: string): string {
  return isIPv6(address) ? `[${address}]` : address;
}
