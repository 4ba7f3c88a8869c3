import { z } from 'zod';
import { defineOperation } from '../_kit/operation.ts';
import { secretText } from './secret-text.ts';

export const createTokenOperation = defineOperation({
  id: 'tokens.create',
  method: 'POST',
  path: '/auth/token',
  summary: 'Exchange an API key for an access token of one hour',
  access: { kind: 'public' },
  body: z.strictObject({ api_key: z.string().min(1).max(500) }),
  bodyLimit: 'credentials',
  output: z.object({
    access_token: secretText('JWT, sent as `Authorization: Bearer`'),
    token_type: z.literal('Bearer'),
    expires_in: z.number().int().describe('Seconds'),
  }),
  status: 200,
  errorCodes: ['unauthenticated'],
  run: (services, { api_key }) => services.tokens.exchange(api_key),
});

export const rotateSigningKeyOperation = defineOperation({
  id: 'tokens.rotate-signing-key',
  method: 'POST',
  path: '/auth/signing-keys/rotate',
  summary: 'Rotate the signing key of access tokens; issued tokens stay valid until they expire',
  access: { kind: 'operator' },
  output: z.object({ kid: z.string(), created_at: z.iso.datetime() }),
  status: 201,
  run: (services) => services.tokens.rotateSigningKey(),
});

export const tokenOperations = [createTokenOperation, rotateSigningKeyOperation];
