import { describe, expect, it } from 'vitest';
import { agentFolders, cacheFolder, type Machine, SESSION_LAYOUTS } from './agent-folders.ts';

const linux: Machine = { platform: 'linux', env: { HOME: '/home/ana' }, home: '/nowhere' };
const mac: Machine = { platform: 'darwin', env: { HOME: '/Users/ana' }, home: '/nowhere' };
const windows: Machine = {
  platform: 'win32',
  env: {
    USERPROFILE: 'C:\\Users\\ana',
    APPDATA: 'C:\\Users\\ana\\AppData\\Roaming',
    LOCALAPPDATA: 'C:\\Users\\ana\\AppData\\Local',
  },
  home: 'C:\\nowhere',
};

const foldersOf = (machine: Machine, agent: string) =>
  agentFolders(machine)
    .filter((folder) => folder.agent === agent)
    .map(({ folder }) => folder);

describe('session folders of agents', () => {
  it.each<[string, Machine, string, string]>([
    ['Claude Code on Linux', linux, 'claude-code', '/home/ana/.claude/projects'],
    ['Codex on Linux', linux, 'codex', '/home/ana/.codex/sessions'],
    ['OpenCode on Linux', linux, 'opencode', '/home/ana/.local/share/opencode'],
    ['Copilot on Linux', linux, 'copilot-cli', '/home/ana/.copilot/session-state'],
    ['older Copilot on Linux', linux, 'copilot-cli', '/home/ana/.copilot/history-session-state'],
    ['Pi on Linux', linux, 'pi', '/home/ana/.pi/agent/sessions'],
    ['Gemini on Linux', linux, 'gemini-cli', '/home/ana/.gemini/tmp'],
    ['Qwen on Linux', linux, 'qwen-code', '/home/ana/.qwen/projects'],
    [
      'Cline in VS Code on Linux',
      linux,
      'cline',
      '/home/ana/.config/Code/User/globalStorage/saoudrizwan.claude-dev/tasks',
    ],
    ['Claude Code on macOS', mac, 'claude-code', '/Users/ana/.claude/projects'],
    ['OpenCode on macOS', mac, 'opencode', '/Users/ana/.local/share/opencode'],
    [
      'Cline in VS Code on macOS',
      mac,
      'cline',
      '/Users/ana/Library/Application Support/Code/User/globalStorage/saoudrizwan.claude-dev/tasks',
    ],
    ['Claude Code on Windows', windows, 'claude-code', 'C:\\Users\\ana\\.claude\\projects'],
    ['Codex on Windows', windows, 'codex', 'C:\\Users\\ana\\.codex\\sessions'],
    ['OpenCode on Windows', windows, 'opencode', 'C:\\Users\\ana\\.local\\share\\opencode'],
    ['Pi on Windows', windows, 'pi', 'C:\\Users\\ana\\.pi\\agent\\sessions'],
    [
      'Cline in VS Code on Windows',
      windows,
      'cline',
      'C:\\Users\\ana\\AppData\\Roaming\\Code\\User\\globalStorage\\saoudrizwan.claude-dev\\tasks',
    ],
  ])('%s', (_name, machine, agent, folder) => expect(foldersOf(machine, agent)).toContain(folder));

  it.each<[string, string, string, string]>([
    ['CLAUDE_CONFIG_DIR', '/x/claude', 'claude-code', '/x/claude/projects'],
    ['CODEX_HOME', '/x/codex', 'codex', '/x/codex/sessions'],
    ['XDG_DATA_HOME', '/x/data', 'opencode', '/x/data/opencode'],
    ['COPILOT_HOME', '/x/copilot', 'copilot-cli', '/x/copilot/session-state'],
    ['PI_CODING_AGENT_DIR', '/x/pi', 'pi', '/x/pi/sessions'],
  ])('%s takes the place of the usual folder', (variable, value, agent, folder) => {
    const found = foldersOf({ ...linux, env: { ...linux.env, [variable]: value } }, agent);
    expect(found).toContain(folder);
    expect(found.filter((each) => each.startsWith('/home/ana'))).toEqual([]);
  });

  it('uses the home of the system where the environment names none', () => {
    expect(foldersOf({ ...linux, env: {} }, 'pi')).toEqual(['/nowhere/.pi/agent/sessions']);
  });

  it('has a folder for every layout', () => {
    const layouts = new Set(agentFolders(linux).map(({ layout }) => layout));
    expect([...layouts].sort()).toEqual([...SESSION_LAYOUTS].sort());
  });
});

it.each<[string, Machine, string]>([
  ['Linux', linux, '/home/ana/.cache/misstep'],
  ['XDG_CACHE_HOME', { ...linux, env: { XDG_CACHE_HOME: '/x/cache' } }, '/x/cache/misstep'],
  ['macOS', mac, '/Users/ana/.cache/misstep'],
  ['Windows', windows, 'C:\\Users\\ana\\AppData\\Local\\misstep\\cache'],
])('the index is in the cache folder: %s', (_name, machine, folder) => expect(cacheFolder(machine)).toBe(folder));
