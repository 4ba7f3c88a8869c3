import { CHALLENGE_HEADER, isChallenge, operatorProof, PROOF_HEADER } from '../features/identity/operator-proof.ts';
import type { HttpConfig } from './http-config.ts';
import type { HttpMiddleware } from './http-context.ts';

const PATH = '/livez';

/**
 * Lets the CLI verify, before it sends the operator token of a data folder, that this server belongs to that
 * folder. Only a generated token is used: a short, human-chosen token could be guessed from the proof.
 */
export function respondToChallenge({ provableToken }: Pick<HttpConfig, 'provableToken'>): HttpMiddleware {
  return (ctx, next) => {
    const challenge = ctx.headers[CHALLENGE_HEADER.toLowerCase()];
    const { localAddress, localPort } = ctx.req.socket;
    if (provableToken !== null && ctx.path === PATH && isChallenge(challenge) && localAddress && localPort)
      ctx.set(PROOF_HEADER, operatorProof(provableToken, challenge, { address: localAddress, port: localPort }));
    return next();
  };
}
