import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Io } from '../io.ts';

export const AGENT_NAMES = ['claude-code', 'codex', 'gemini', 'qwen', 'copilot', 'cursor'] as const;
export type AgentName = (typeof AGENT_NAMES)[number];

export const SCOPES = ['user', 'project'] as const;
export type HookScope = (typeof SCOPES)[number];

/** How a coding agent's hooks are configured. */
export interface HookAgent {
  name: AgentName;
  title: string;
  /** Its folder, relative to the home folder and to a project. */
  folder: string;
  /** Variable that overrides the folder in the home folder. */
  folderVariable: string | null;
  file: string;
  /** The folder relative to a project, if different. */
  projectFile?: string;
  /** `grouped`: a list of `{matcher?, hooks: [{type, command}]}` per event; `flat`: a list of `{command}`. */
  shape: 'grouped' | 'flat';
  /** Member that contains the command, if it is not `command`. */
  commandMember?: 'bash';
  /** Further members of a hook; timeouts are in seconds, in milliseconds for Gemini CLI and Qwen Code. */
  more: Readonly<Record<string, string | number>>;
  /** Members that differ for the hook of one event. */
  moreOf?: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** What a user must do before the agent runs new hooks. */
  trust?: string;
  /** Required members of the file. */
  members: Readonly<Record<string, number>>;
  /** Required members of a project's file, if different. */
  projectMembers?: Readonly<Record<string, number>>;
  events: readonly string[];
  /** Events whose hook may return a warning to the agent. */
  feedbackEvents: readonly string[];
}

export const AGENTS: readonly HookAgent[] = [
  {
    name: 'claude-code',
    title: 'Claude Code',
    folder: '.claude',
    folderVariable: 'CLAUDE_CONFIG_DIR',
    file: 'settings.json',
    shape: 'grouped',
    more: { timeout: 10 },
    members: {},
    events: [
      'SessionStart',
      'UserPromptSubmit',
      'PreToolUse',
      'PostToolUse',
      'PostToolUseFailure',
      'PermissionDenied',
      'SubagentStart',
      'SubagentStop',
      'PreCompact',
      'Stop',
      'StopFailure',
      'SessionEnd',
    ],
    feedbackEvents: ['PostToolUse', 'PostToolUseFailure'],
  },
  {
    name: 'codex',
    title: 'Codex',
    folder: '.codex',
    folderVariable: 'CODEX_HOME',
    file: 'hooks.json',
    shape: 'grouped',
    more: { timeout: 10 },
    // Codex prints a warning at every start for longer timeouts.
    moreOf: { Interrupt: { timeout: 3 }, SessionEnd: { timeout: 3 } },
    trust:
      'Codex runs new hooks only after you trust them: start `codex` and accept them, or review them with /hooks. `codex exec` does not ask and skips hooks that are not trusted.',
    members: {},
    events: [
      'SessionStart',
      'UserPromptSubmit',
      'PreToolUse',
      'PostToolUse',
      'SubagentStart',
      'SubagentStop',
      'PreCompact',
      'Stop',
      'Interrupt',
      'SessionEnd',
    ],
    feedbackEvents: ['PostToolUse'],
  },
  {
    name: 'gemini',
    title: 'Gemini CLI',
    folder: '.gemini',
    folderVariable: null,
    file: 'settings.json',
    shape: 'grouped',
    more: { name: 'misstep', timeout: 10_000 },
    members: {},
    events: [
      'SessionStart',
      'BeforeAgent',
      'BeforeModel',
      'AfterModel',
      'BeforeTool',
      'AfterTool',
      'AfterAgent',
      'PreCompress',
      'SessionEnd',
    ],
    feedbackEvents: ['AfterTool'],
  },
  {
    name: 'qwen',
    title: 'Qwen Code',
    folder: '.qwen',
    folderVariable: null,
    file: 'settings.json',
    shape: 'grouped',
    more: { timeout: 10_000 },
    members: {},
    events: [
      'SessionStart',
      'UserPromptSubmit',
      'PreToolUse',
      'PostToolUse',
      'PostToolUseFailure',
      'SubagentStart',
      'SubagentStop',
      'PreCompact',
      'Stop',
      'SessionEnd',
    ],
    feedbackEvents: [],
  },
  {
    name: 'copilot',
    title: 'Copilot CLI',
    folder: '.copilot',
    folderVariable: 'COPILOT_HOME',
    file: 'settings.json',
    // A project's hooks are in the file of Copilot's cloud agent, too.
    projectFile: '.github/hooks/misstep.json',
    shape: 'flat',
    commandMember: 'bash',
    more: { type: 'command', timeoutSec: 10 },
    members: {},
    projectMembers: { version: 1 },
    // With event names in this spelling Copilot includes the event's name in its records.
    events: [
      'SessionStart',
      'UserPromptSubmit',
      'PreToolUse',
      'PostToolUse',
      'PostToolUseFailure',
      'SubagentStop',
      'PreCompact',
      'Stop',
      'SessionEnd',
    ],
    feedbackEvents: [],
  },
  {
    name: 'cursor',
    title: 'Cursor',
    folder: '.cursor',
    folderVariable: null,
    file: 'hooks.json',
    shape: 'flat',
    more: { timeout: 10 },
    members: { version: 1 },
    // The specific hooks for shell, MCP and edits would report the same calls twice.
    events: [
      'sessionStart',
      'beforeSubmitPrompt',
      'preToolUse',
      'postToolUse',
      'postToolUseFailure',
      'subagentStart',
      'subagentStop',
      'afterAgentResponse',
      'preCompact',
      'stop',
      'sessionEnd',
    ],
    feedbackEvents: [],
  },
];

/** The agent with the members that its file in this scope requires. */
export function inScope(agent: HookAgent, scope: HookScope): HookAgent {
  return scope === 'project' ? { ...agent, members: agent.projectMembers ?? agent.members } : agent;
}

export function agentNamed(name: AgentName): HookAgent {
  return AGENTS.find((agent) => agent.name === name) as HookAgent;
}

/** The folder of an agent's settings; its existence shows whether the agent is in use. */
export function settingsFolderOf(agent: HookAgent, scope: HookScope, { env, cwd }: Pick<Io, 'env' | 'cwd'>): string {
  if (scope === 'project') return join(cwd, agent.folder);
  const named = agent.folderVariable === null ? undefined : env[agent.folderVariable];
  return named ? resolve(cwd, named) : join(env.HOME || homedir(), agent.folder);
}
