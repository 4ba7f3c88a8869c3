import type { Trace } from '../../../core/trace.ts';

/** Frameworks that are coding agents, for senders that do not mark sessions. */
export const CODING_AGENTS: ReadonlySet<string> = new Set([
  'claude-code',
  'codex',
  'gemini-cli',
  'qwen-code',
  'copilot-cli',
  'opencode',
  'pi',
  'cline',
  'cursor',
  'aider',
  'swe-agent',
]);

/** Whether the run is a session of an agent that works on project files for its user. */
export function isCodingSession({ codingSession, framework }: Trace): boolean {
  return codingSession !== undefined || isCodingAgent(framework);
}

export function isCodingAgent(framework: string): boolean {
  return CODING_AGENTS.has(framework);
}
