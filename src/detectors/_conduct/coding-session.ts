import type { Trace } from '../../core/trace.ts';

/** Frameworks that are coding agents, for senders that mark no session. */
const CODING_AGENTS = new Set([
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

/** Whether the run is a session of an agent that works on the files of a project for its user. */
export function isCodingSession({ codingSession, framework }: Trace): boolean {
  return codingSession !== undefined || CODING_AGENTS.has(framework);
}
