import type { HookFramework } from '../../formats/hooks/hook-framework.ts';
import type { AgentName } from '../hooks/agents.ts';

/** Frameworks of the agents that the command line names. */
export const FRAMEWORK_OF_AGENT: Readonly<Record<AgentName, HookFramework>> = {
  'claude-code': 'claude-code',
  codex: 'codex',
  gemini: 'gemini-cli',
  qwen: 'qwen-code',
  copilot: 'copilot-cli',
  cursor: 'cursor',
};

/** @throws Error with a message for the user */
export function toFramework(agent: string | undefined): HookFramework | null {
  if (agent === undefined) return null;
  if (Object.hasOwn(FRAMEWORK_OF_AGENT, agent)) return FRAMEWORK_OF_AGENT[agent as AgentName];
  throw new Error(`--agent takes one of ${Object.keys(FRAMEWORK_OF_AGENT).join(', ')}`);
}
