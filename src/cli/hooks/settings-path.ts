import { join } from 'node:path';
import type { Io } from '../io.ts';
import { type HookAgent, type HookScope, settingsFolderOf } from './agents.ts';

export function settingsPathOf(agent: HookAgent, scope: HookScope, io: Pick<Io, 'env' | 'cwd'>): string {
  if (scope === 'project' && agent.projectFile !== undefined) return join(io.cwd, agent.projectFile);
  return join(settingsFolderOf(agent, scope, io), agent.file);
}
