import { DEFAULT_HTTP_CONFIG } from '../http/http-config.ts';
import { readServerFile } from '../store/data-folder/server-file.ts';
import type { Io } from './io.ts';
import { toPublicUrl } from './public-url.ts';

/** Where the dashboard of a data folder is: the public URL, the server that runs, or where `serve` would listen. */
export function localWebAddress(dataFolder: string, env: Io['env']): string {
  const publicUrl = toPublicUrl(undefined, env);
  if (publicUrl !== null) return `${publicUrl.origin}${publicUrl.basePath}`;
  return readServerFile(dataFolder)?.webAddress ?? `http://127.0.0.1:${env.MISSTEP_PORT || DEFAULT_HTTP_CONFIG.port}`;
}
