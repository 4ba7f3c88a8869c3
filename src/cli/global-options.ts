import { dataFolderOf } from '../app/config.ts';
import { assertBaseUrl } from './base-url.ts';
import type { Io } from './io.ts';
import { secretVariable } from './secret-variable.ts';

/** Global options, from flags and environment. */
export interface GlobalOptions {
  dataFolder: string;
  /** Base address of a server, without `/api/v1`; null: the local store. */
  server: string | null;
  apiKey: string | null;
  operatorToken: string | null;
  /** Tenant's id; null: the local one, or the key's. */
  tenant: string | null;
  isJson: boolean;
  isQuiet: boolean;
  isColored: boolean;
  /** The command is read-only: it creates nothing. */
  isReading: boolean;
  /** Prompts are allowed. */
  isInteractive: boolean;
}

/** As parsed by commander. */
export interface GlobalFlags {
  config?: string;
  data?: string;
  server?: string;
  apiKey?: string;
  tenant?: string;
  json?: boolean;
  quiet?: boolean;
  color?: boolean;
  input?: boolean;
}

/** @throws AppError `usage` */
export function toGlobalOptions(flags: GlobalFlags, io: Io, isReading: boolean): GlobalOptions {
  const { env } = io;
  return {
    dataFolder: dataFolderOf(flags.data, env),
    server: toServerAddress(flags.server ?? env.MISSTEP_SERVER),
    apiKey: flags.apiKey ?? secretVariable(env, 'MISSTEP_API_KEY') ?? null,
    operatorToken: secretVariable(env, 'MISSTEP_OPERATOR_TOKEN') ?? null,
    tenant: flags.tenant ?? (env.MISSTEP_TENANT || null),
    isJson: flags.json ?? false,
    isQuiet: flags.quiet ?? false,
    isColored: isColored(flags, io),
    isReading,
    isInteractive: (flags.input ?? true) && Boolean(io.stdin.isTTY && io.stderr.isTTY) && !env.CI,
  };
}

/** The address without a trailing slash or `/api/v1`; null if none is given. @throws AppError `usage` */
export function toServerAddress(address: string | undefined, flag = '--server'): string | null {
  if (!address) return null;
  assertBaseUrl(flag, address, 'http://127.0.0.1:4319');
  return address.replace(/\/+$/, '').replace(/\/api\/v1$/, '');
}

/** no-color.org: any non-empty value of NO_COLOR counts. */
function isColored(flags: GlobalFlags, { env, stdout }: Io): boolean {
  if (flags.color === false || env.NO_COLOR) return false;
  if (env.FORCE_COLOR) return env.FORCE_COLOR !== '0';
  return Boolean(stdout.isTTY) && env.TERM !== 'dumb';
}
