import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { operations } from '../src/features/operations.ts';
import { toOpenApi } from '../src/http/openapi.ts';
import { toTypescriptClient } from '../src/http/typescript-client/typescript-client.ts';

/** Writes the typed client; `src/http/openapi.test.ts` fails when it is stale. */
export const CLIENT_FILE = resolve(import.meta.dirname, '../src/client/misstep-client.generated.ts');

export function clientText(): string {
  return toTypescriptClient(toOpenApi(operations));
}

if (import.meta.main) writeFileSync(CLIENT_FILE, clientText());
