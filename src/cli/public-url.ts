import { AppError } from '../core/app-error.ts';
import type { PublicUrl } from '../http/public-url.ts';
import { assertBaseUrl } from './base-url.ts';
import type { Io } from './io.ts';

const BASE_PATH = /^(?:\/[\w.~-]+)*$/;

/** `--public-url`, else `MISSTEP_PUBLIC_URL`; null if neither is given. @throws AppError `usage` */
export function toPublicUrl(flag: string | undefined, env: Io['env']): PublicUrl | null {
  const text = flag ?? env.MISSTEP_PUBLIC_URL;
  if (!text) return null;
  assertBaseUrl('--public-url', text, 'https://misstep.example.com or https://example.com/misstep');
  const { origin, pathname } = new URL(text);
  const basePath = pathname.replace(/\/+$/, '');
  if (!BASE_PATH.test(basePath))
    throw new AppError('usage', '--public-url takes a path of letters, digits and the characters - . _ ~');
  return { origin, basePath };
}
