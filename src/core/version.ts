import { readFileSync } from 'node:fs';

/** Set by the build; when run from sources, package.json is read. */
declare const MISSTEP_VERSION: string | undefined;

export const VERSION: string = typeof MISSTEP_VERSION === 'string' ? MISSTEP_VERSION : readVersion();

function readVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
