import { readFileSync } from 'node:fs';
import { AppError } from '../core/app-error.ts';
import type { Io } from './io.ts';

/**
 * `NAME`, otherwise the first line of the file that `NAME_FILE` names; undefined if neither is set.
 * @throws AppError `usage` where the file cannot be read
 */
export function secretVariable(env: Io['env'], name: string): string | undefined {
  const value = env[name];
  if (value) return value;
  const file = env[`${name}_FILE`];
  return file ? readSecret(file, `${name}_FILE`) : undefined;
}

function readSecret(file: string, variable: string): string {
  try {
    return (readFileSync(file, 'utf8').split('\n', 1)[0] as string).trim();
  } catch (error) {
    throw new AppError('usage', `${variable} names a file that cannot be read: ${(error as Error).message}`);
  }
}
