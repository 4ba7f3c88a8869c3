import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Io } from '../io.ts';

/** A coding agent without hooks, and the alternative way to report its sessions. */
export interface AgentWithoutHooks {
  title: string;
  /** Relative to the home folder. */
  folder: string;
  instead: string;
}

const AGENTS_WITHOUT_HOOKS: readonly AgentWithoutHooks[] = [
  {
    title: 'OpenCode',
    folder: '.config/opencode',
    instead:
      'Its sessions are read by `misstep sessions` and from the output of `opencode export`; while they run, with `"experimental": {"openTelemetry": true}` in opencode.json and OTEL_EXPORTER_OTLP_ENDPOINT set to the server.',
  },
  { title: 'Pi', folder: '.pi', instead: 'Its session files are read by `misstep sessions`, `analyze` and `import`.' },
  {
    title: 'Cline',
    folder: '.cline',
    instead: 'Its session files are read by `misstep sessions`, `analyze` and `import`.',
  },
];

/** Those that this user has installed. */
export function agentsWithoutHooks({ env }: Pick<Io, 'env'>): readonly AgentWithoutHooks[] {
  return AGENTS_WITHOUT_HOOKS.filter(({ folder }) => existsSync(join(env.HOME || homedir(), folder)));
}
