import { posix, win32 } from 'node:path';

/** How an agent lays out its sessions below a folder. */
export const SESSION_LAYOUTS = [
  'claude-projects',
  'codex-rollouts',
  'opencode-data',
  'copilot-state',
  'copilot-history',
  'pi-sessions',
  'gemini-chats',
  'qwen-chats',
  'cline-sessions',
  'cline-tasks',
] as const;
export type SessionLayout = (typeof SESSION_LAYOUTS)[number];

export interface AgentFolder {
  agent: string;
  layout: SessionLayout;
  folder: string;
}

export interface Machine {
  platform: NodeJS.Platform;
  env: Readonly<Record<string, string | undefined>>;
  /** Home folder if the environment names none. */
  home: string;
}

/** Folders in which coding agents keep their sessions; they need not exist. */
export function agentFolders({ platform, env, home }: Machine): AgentFolder[] {
  const { join } = platform === 'win32' ? win32 : posix;
  const user = (platform === 'win32' ? env.USERPROFILE : env.HOME) || home;
  const data = env.XDG_DATA_HOME || join(user, '.local', 'share');
  const claude = env.CLAUDE_CONFIG_DIR
    ? [env.CLAUDE_CONFIG_DIR]
    : [join(user, '.claude'), join(user, '.config', 'claude')];
  const codex = env.CODEX_HOME || join(user, '.codex');
  const copilot = env.COPILOT_HOME || join(user, '.copilot');
  const pi = env.PI_CODING_AGENT_DIR || join(user, '.pi', 'agent');
  const cline = env.CLINE_DIR || join(user, '.cline');
  const found: AgentFolder[] = [
    ...claude.map(
      (folder): AgentFolder => ({ agent: 'claude-code', layout: 'claude-projects', folder: join(folder, 'projects') }),
    ),
    { agent: 'codex', layout: 'codex-rollouts', folder: join(codex, 'sessions') },
    { agent: 'codex', layout: 'codex-rollouts', folder: join(codex, 'archived_sessions') },
    { agent: 'opencode', layout: 'opencode-data', folder: join(data, 'opencode') },
    { agent: 'copilot-cli', layout: 'copilot-state', folder: join(copilot, 'session-state') },
    { agent: 'copilot-cli', layout: 'copilot-history', folder: join(copilot, 'history-session-state') },
    { agent: 'pi', layout: 'pi-sessions', folder: join(pi, 'sessions') },
    { agent: 'gemini-cli', layout: 'gemini-chats', folder: join(user, '.gemini', 'tmp') },
    { agent: 'qwen-code', layout: 'qwen-chats', folder: join(user, '.qwen', 'projects') },
    { agent: 'qwen-code', layout: 'qwen-chats', folder: join(user, '.qwen', 'tmp') },
    { agent: 'cline', layout: 'cline-sessions', folder: join(cline, 'data', 'sessions') },
    ...editorFolders({ platform, env, home }, user).map(
      (folder): AgentFolder => ({
        agent: 'cline',
        layout: 'cline-tasks',
        folder: join(folder, 'saoudrizwan.claude-dev', 'tasks'),
      }),
    ),
  ];
  return found;
}

const EDITORS = ['Code', 'Code - Insiders', 'VSCodium', 'Cursor', 'Windsurf'];

/** Folders in which editors keep the data of their extensions. */
function editorFolders({ platform, env }: Machine, user: string): string[] {
  const { join } = platform === 'win32' ? win32 : posix;
  const config =
    platform === 'win32'
      ? env.APPDATA || join(user, 'AppData', 'Roaming')
      : platform === 'darwin'
        ? join(user, 'Library', 'Application Support')
        : env.XDG_CONFIG_HOME || join(user, '.config');
  return EDITORS.map((editor) => join(config, editor, 'User', 'globalStorage'));
}

/** Folder of the index: `$XDG_CACHE_HOME/misstep`. It may be deleted at any time. */
export function cacheFolder({ platform, env, home }: Machine): string {
  const { join } = platform === 'win32' ? win32 : posix;
  if (env.XDG_CACHE_HOME) return join(env.XDG_CACHE_HOME, 'misstep');
  const user = (platform === 'win32' ? env.USERPROFILE : env.HOME) || home;
  if (platform === 'win32') return join(env.LOCALAPPDATA || join(user, 'AppData', 'Local'), 'misstep', 'cache');
  return join(user, '.cache', 'misstep');
}
