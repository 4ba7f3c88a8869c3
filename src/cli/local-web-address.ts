import { DEFAULT_HTTP_CONFIG } from '../http/http-config.ts';
import { readServerFile } from '../store/data-folder/server-file.ts';
import type { Io } from './io.ts';
import { toPublicUrl } from './public-url.ts';

/** The address of the dashboard: the public URL, or of the running server, or on which `serve` would listen. */
export function localWebAddress(dataFolder: string, env: Io['env']): string {
  const publicUrl = toPublicUrl(undefined, env);
  if (publicUrl !== null) return `${publicUrl.origin}${publicUrl.basePath}`;
  return readServerFile(dataFolder)?.webAddress ?? `http://127.0.0.1:${env.MISSTEP_PORT || DEFAULT_HTTP_CONFIG.port}`;
}
