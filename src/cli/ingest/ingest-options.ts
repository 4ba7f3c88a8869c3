import { dataFolderOf } from '../../app/config.ts';
import type { HookFramework } from '../../formats/hooks/hook-framework.ts';
import { withUserFile } from '../config-file.ts';
import { toServerAddress } from '../global-options.ts';
import type { Io } from '../io.ts';
import { secretVariable } from '../secret-variable.ts';
import { toFramework } from './hook-agent.ts';

export interface IngestOptions {
  dataFolder: string;
  /** Without a trailing slash; null: the local spool. */
  server: string | null;
  apiKey: string | null;
  tenant: string | null;
  /** The agent; null: detected from the record's shape. */
  agent: HookFramework | null;
  /** Whether to warn the agent when it repeats itself. */
  hasFeedback: boolean;
  /** Whether failures change the exit code. */
  isStrict: boolean;
  isVerbose: boolean;
  maxSpoolBytes: number | null;
}

const VALUE_FLAGS = ['--config', '--data', '--server', '--api-key', '--tenant', '--agent'] as const;
/** Global flags without effect here are accepted. */
const SWITCHES = [
  '--strict',
  '--verbose',
  '--feedback',
  '--json',
  '--quiet',
  '-q',
  '--no-color',
  '--no-input',
] as const;
type Flags = Map<string, string>;

/**
 * Parses the command line without commander, whose start would delay every hook call.
 * @throws Error with a message for the user
 */
export function readIngestOptions(argv: readonly string[], io: Pick<Io, 'env' | 'cwd'>): IngestOptions {
  const flags = readFlags(argv);
  const env = withUserFile(io, flags.get('--config'));
  return {
    dataFolder: dataFolderOf(flags.get('--data'), env),
    server: toServerAddress(flags.get('--server') ?? env.MISSTEP_SERVER),
    apiKey: flags.get('--api-key') ?? secretVariable(env, 'MISSTEP_API_KEY') ?? null,
    tenant: flags.get('--tenant') ?? (env.MISSTEP_TENANT || null),
    agent: toFramework(flags.get('--agent')),
    hasFeedback: flags.has('--feedback'),
    isStrict: flags.has('--strict'),
    isVerbose: flags.has('--verbose'),
    maxSpoolBytes: maxSpoolBytes(env),
  };
}

/** `MISSTEP_SPOOL_MAX_BYTES`; null for the default limit. */
export function maxSpoolBytes(env: Io['env']): number | null {
  const bytes = Number(env.MISSTEP_SPOOL_MAX_BYTES);
  return bytes > 0 ? bytes : null;
}

function readFlags(argv: readonly string[]): Flags {
  const flags: Flags = new Map();
  const words = [...argv];
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    const [name, inline] = splitOnce(word);
    if (isOneOf(SWITCHES, word)) flags.set(word, '');
    else if (!isOneOf(VALUE_FLAGS, name)) throw new Error(`ingest does not know ${JSON.stringify(word)}`);
    else flags.set(name, inline ?? words.shift() ?? missing(name));
  }
  return flags;
}

function missing(name: string): never {
  throw new Error(`${name} needs a value`);
}

function splitOnce(word: string): [string, string | undefined] {
  const at = word.indexOf('=');
  return at === -1 ? [word, undefined] : [word.slice(0, at), word.slice(at + 1)];
}

function isOneOf(names: readonly string[], name: string): boolean {
  return names.includes(name);
}
