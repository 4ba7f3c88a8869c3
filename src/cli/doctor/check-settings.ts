import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { settingFiles } from '../config-file.ts';
import type { GlobalFlags } from '../global-options.ts';
import type { Io } from '../io.ts';
import { type DoctorCheck, ok, problem, warning } from './doctor-check.ts';

/** The effective value of a setting for commands in this environment, and its source. */
export interface EffectiveSetting {
  /** Environment variable of the setting. */
  variable: string;
  /** Null if it is not set and the default applies. Values of secrets are never read. */
  value: string | null;
  /** `flag`, `environment`, the path of a file, or `default`. */
  source: string;
}

const OTHERS = 0o077;
/** Variables whose value is a secret unless they end in `_FILE`. */
const SECRET = /(?:KEY|TOKEN|SECRET|PASSWORD|SMTP_URL|PEPPER)$/;
const FLAG_OF: Readonly<Record<string, keyof GlobalFlags>> = {
  MISSTEP_DATA: 'data',
  MISSTEP_SERVER: 'server',
  MISSTEP_TENANT: 'tenant',
  MISSTEP_API_KEY: 'apiKey',
};

/** @param io its environment already contains the settings from files */
export function effectiveSettings(io: Pick<Io, 'env' | 'processEnv' | 'cwd'>, flags: GlobalFlags): EffectiveSetting[] {
  const files = settingFiles(io, flags.config);
  const inEnvironment = Object.keys(io.env).filter((name) => name.startsWith('MISSTEP_'));
  const variables = [...new Set([...files.keys(), ...inEnvironment])].sort();
  return variables.map((variable) => {
    const flag = FLAG_OF[variable];
    const flagged = flag === undefined ? undefined : flags[flag];
    const value = typeof flagged === 'string' ? flagged : io.env[variable] || null;
    return { variable, value: hidden(variable, value), source: sourceOf(variable, value, flagged, files, io) };
  });
}

function sourceOf(
  variable: string,
  value: string | null,
  flagged: unknown,
  files: ReadonlyMap<string, string | null>,
  { processEnv }: Pick<Io, 'processEnv'>,
): string {
  if (flagged !== undefined) return 'flag';
  if (value === null) return 'default';
  return processEnv?.[variable] === undefined ? (files.get(variable) ?? 'environment') : 'environment';
}

function hidden(variable: string, value: string | null): string | null {
  return value !== null && SECRET.test(variable) ? '(set)' : value;
}

/** Files that hold secrets must be readable by their owner only. */
export function checkSecretFiles({ env, cwd }: Pick<Io, 'env' | 'cwd'>): DoctorCheck[] {
  const names = Object.keys(env).filter((name) => /^MISSTEP_\w+_FILE$/.test(name) && env[name]);
  return names.sort().map((name) => {
    const file = resolve(cwd, env[name] as string);
    const stat = statSync(file, { throwIfNoEntry: false });
    if (stat === undefined) return problem(name, `${file} does not exist`, `Create the file or unset ${name}.`);
    if (process.platform !== 'win32' && (stat.mode & OTHERS) !== 0) {
      const mode = (stat.mode & 0o777).toString(8);
      return warning(name, `${file} is accessible to other users (mode ${mode})`, `Run: chmod 600 ${file}`);
    }
    return ok(name, file);
  });
}
