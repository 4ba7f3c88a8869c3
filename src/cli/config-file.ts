import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { AppError } from '../core/app-error.ts';
import { isJsonObject, type Json, parseJson } from '../core/json.ts';
import type { Io } from './io.ts';

/** Keys of the user's file (`$XDG_CONFIG_HOME/misstep/config.json`, or the one that `--config` names), and their variables. */
const USER_KEYS: Readonly<Record<string, string>> = {
  data: 'MISSTEP_DATA',
  server: 'MISSTEP_SERVER',
  tenant: 'MISSTEP_TENANT',
  api_key_file: 'MISSTEP_API_KEY_FILE',
  operator_token_file: 'MISSTEP_OPERATOR_TOKEN_FILE',
  spool_max_bytes: 'MISSTEP_SPOOL_MAX_BYTES',
  host: 'MISSTEP_HOST',
  port: 'MISSTEP_PORT',
  durability: 'MISSTEP_DURABILITY',
  public_url: 'MISSTEP_PUBLIC_URL',
  allow_host: 'MISSTEP_ALLOW_HOST',
  cors_origin: 'MISSTEP_CORS_ORIGIN',
  trust_proxy: 'MISSTEP_TRUST_PROXY',
  rate_limit: 'MISSTEP_RATE_LIMIT',
  redact: 'MISSTEP_REDACT',
  judge_url: 'MISSTEP_JUDGE_URL',
  judge_model: 'MISSTEP_JUDGE_MODEL',
  judge_provider: 'MISSTEP_JUDGE_PROVIDER',
  judge_api_key_file: 'MISSTEP_JUDGE_API_KEY_FILE',
  judge_daily_budget: 'MISSTEP_JUDGE_DAILY_BUDGET',
  judge_daily_tokens: 'MISSTEP_JUDGE_DAILY_TOKENS',
  log_level: 'MISSTEP_LOG_LEVEL',
  smtp_url_file: 'MISSTEP_SMTP_URL_FILE',
  smtp_from: 'MISSTEP_SMTP_FROM',
  allow_private_webhooks: 'MISSTEP_ALLOW_PRIVATE_WEBHOOKS',
  healing_root: 'MISSTEP_HEALING_ROOT',
  fail_on: 'MISSTEP_FAIL_ON',
  min_severity: 'MISSTEP_MIN_SEVERITY',
  sessions_exclude: 'MISSTEP_SESSIONS_EXCLUDE',
};

/** A project's file may come with an untrusted repository: it must not determine where traces and keys are sent. */
const PROJECT_KEYS: Readonly<Record<string, string>> = {
  fail_on: 'MISSTEP_FAIL_ON',
  min_severity: 'MISSTEP_MIN_SEVERITY',
};

const PROJECT_FILE = 'misstep.json';

/**
 * Precedence: environment, project file, user file.
 * @throws AppError `usage` for a named file that is missing, is not a JSON object, or has unknown keys
 */
export function withConfigFiles({ env, cwd }: Pick<Io, 'env' | 'cwd'>, named: string | undefined): Io['env'] {
  return { ...userSettings(env, cwd, named), ...readSettings(resolve(cwd, PROJECT_FILE), PROJECT_KEYS, false), ...env };
}

/** Every setting that a file can contain: its variable and the file that sets it, or null if no file sets it. */
export function settingFiles(
  { env, cwd }: Pick<Io, 'env' | 'cwd'>,
  named: string | undefined,
): Map<string, string | null> {
  const files = new Map<string, string | null>(Object.values(USER_KEYS).map((variable) => [variable, null]));
  const { file: userFile, isRequired } = userFileOf(env, cwd, named);
  const projectFile = resolve(cwd, PROJECT_FILE);
  for (const variable of Object.keys(readSettings(userFile, USER_KEYS, isRequired))) files.set(variable, userFile);
  for (const variable of Object.keys(readSettings(projectFile, PROJECT_KEYS, false))) files.set(variable, projectFile);
  return files;
}

/** Environment and user file only, for hooks. */
export function withUserFile({ env, cwd }: Pick<Io, 'env' | 'cwd'>, named: string | undefined): Io['env'] {
  return { ...userSettings(env, cwd, named), ...env };
}

function userSettings(env: Io['env'], cwd: string, named: string | undefined): Record<string, string> {
  const { file, isRequired } = userFileOf(env, cwd, named);
  return readSettings(file, USER_KEYS, isRequired);
}

/** A named file must exist. */
function userFileOf(env: Io['env'], cwd: string, named: string | undefined): { file: string; isRequired: boolean } {
  const path = named ?? env.MISSTEP_CONFIG;
  if (path) return { file: resolve(cwd, path), isRequired: true };
  const folder = env.XDG_CONFIG_HOME || join(env.HOME || homedir(), '.config');
  return { file: join(folder, 'misstep', 'config.json'), isRequired: false };
}

function readSettings(
  file: string,
  keys: Readonly<Record<string, string>>,
  isRequired: boolean,
): Record<string, string> {
  const text = readText(file, isRequired);
  if (text === null) return {};
  const json = parseJson(text);
  if (!isJsonObject(json)) throw new AppError('usage', `${file} is not a JSON object.`);
  return Object.fromEntries(
    Object.entries(json).map(([key, value]) => [variableOf(file, key, keys), textOf(file, key, value)]),
  );
}

function readText(file: string, isRequired: boolean): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const isMissing = ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '');
    if (isMissing && !isRequired) return null;
    throw new AppError('usage', `${file} cannot be read: ${(error as Error).message}`);
  }
}

function variableOf(file: string, key: string, keys: Readonly<Record<string, string>>): string {
  const variable = Object.hasOwn(keys, key) ? keys[key] : undefined;
  if (variable !== undefined) return variable;
  const isMisplaced = Object.hasOwn(USER_KEYS, key);
  const why = isMisplaced
    ? 'belongs in your own file, not in a project'
    : `is not known; known are ${Object.keys(keys).join(', ')}`;
  throw new AppError('usage', `${file}: the key ${JSON.stringify(key)} ${why}.`);
}

function textOf(file: string, key: string, value: Json): string {
  if (Array.isArray(value)) return value.map((item) => textOf(file, key, item)).join(',');
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  throw new AppError('usage', `${file}: the key ${JSON.stringify(key)} must be a string, a number or a list of them.`);
}
