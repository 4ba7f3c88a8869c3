import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/** The real programs of the end-to-end tests: a folder in `test/e2e/programs` and a test file in `test/e2e` each. */
export const PROGRAMS = [
  'opentelemetry',
  'langchain',
  'traceloop',
  'vercel-ai',
  'openai-agents',
  'mastra',
  'langfuse',
  'langsmith',
  'phoenix',
  'mcp',
  'langgraph-server',
  'coding-agents',
  'openclaw',
  'n8n',
] as const;

export type ProgramName = (typeof PROGRAMS)[number];

export const PROGRAMS_FOLDER = resolve(import.meta.dirname, '../../test/e2e/programs');

export interface ProgramPackage {
  dependencies: Record<string, string>;
  /** Additional arguments of `npm install` for this program. */
  misstep?: { npmArguments?: string[]; rebuild?: string[] };
}

export function packageOf(name: ProgramName): ProgramPackage {
  return JSON.parse(readFileSync(join(PROGRAMS_FOLDER, name, 'package.json'), 'utf8')) as ProgramPackage;
}

/** Programs are installed outside of the repository, so that a fresh clone can reuse them. */
export function cacheFolder(env: NodeJS.ProcessEnv): string {
  const { MISSTEP_E2E: named, XDG_CACHE_HOME: caches } = env;
  return resolve(named || join(caches || join(homedir(), '.cache'), 'misstep-e2e'));
}

/** File with the newest result of each program. */
export const resultsFile = (cache: string): string => join(cache, 'results.json');

export const STAMP = '.installed';

export function isInstalled(cache: string, name: ProgramName): boolean {
  return existsSync(join(cache, name, STAMP));
}
