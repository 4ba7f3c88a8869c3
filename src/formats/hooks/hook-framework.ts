/** Coding agents whose hook calls are read, as traces call them. */
export const HOOK_FRAMEWORKS = ['claude-code', 'codex', 'gemini-cli', 'qwen-code', 'copilot-cli', 'cursor'] as const;
export type HookFramework = (typeof HOOK_FRAMEWORKS)[number];
