import type { IncomingHttpHeaders } from 'node:http';
import { credentialOf } from './authenticate.ts';

/** Reads the credential from the headers: null if absent, `''` if it is of an unknown kind. */
export type CredentialReader = (headers: IncomingHttpHeaders) => string | null;

const BASIC = /^Basic +([A-Za-z0-9+/=_-]{1,2000}) *$/i;

/** Langfuse's SDKs send public and secret key as Basic auth. The secret key is the API key; the public key is ignored. */
export const langfuseCredential: CredentialReader = (headers) => {
  const [, encoded] = BASIC.exec(headers.authorization ?? '') ?? [];
  if (headers['x-svc-api-key'] !== undefined || encoded === undefined) return credentialOf(headers);
  const pair = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = pair.indexOf(':');
  return colon < 0 ? '' : pair.slice(colon + 1).trim();
};

/** LangSmith's SDKs send the API key in `X-API-Key`. */
export const langSmithCredential: CredentialReader = (headers) => {
  const key = headers['x-api-key'];
  if (headers['x-svc-api-key'] !== undefined || typeof key !== 'string') return credentialOf(headers);
  return key.trim();
};
