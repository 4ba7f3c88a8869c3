/** Coding agents whose hook calls are supported, by their names in traces. */
export const HOOK_FRAMEWORKS = ['claude-code', 'codex', 'gemini-cli', 'qwen-code', 'copilot-cli', 'cursor'] as const;
export type HookFramework = (typeof HOOK_FRAMEWORKS)[number];
