import { readdirSync, type Stats, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { AgentFolder, SessionLayout } from './agent-folders.ts';
import type { SessionFile } from './session-file.ts';
import { sessionIdInHead } from './session-head.ts';

interface FoundFile {
  path: string;
  stats: Stats;
}

export interface FoundSessions {
  sessions: SessionFile[];
  /** Databases of OpenCode, which are read separately. */
  databases: string[];
  /** Folders and files that cannot be read. */
  unreadable: string[];
}

type Group = (files: readonly FoundFile[]) => Pick<SessionFile, 'key' | 'place'>[];

interface LayoutRule {
  /** Folders between the root and the deepest file. */
  depth: number;
  accepts(path: string): boolean;
  group: Group;
}

const oneSessionPerFile: Group = (files) =>
  files.map(({ path }) => ({ key: path, place: { kind: 'files', paths: [path] } }));

const RULES: Readonly<Record<SessionLayout, LayoutRule>> = {
  'claude-projects': { depth: 3, accepts: isJsonLines, group: groupClaude },
  'codex-rollouts': { depth: 4, accepts: isJsonLines, group: oneSessionPerFile },
  'opencode-data': { depth: 3, accepts: isOpenCodeInfo, group: groupOpenCode },
  'copilot-state': { depth: 1, accepts: isJsonLines, group: oneSessionPerFile },
  'copilot-history': { depth: 1, accepts: isJson, group: oneSessionPerFile },
  'pi-sessions': { depth: 2, accepts: isJsonLines, group: oneSessionPerFile },
  'gemini-chats': { depth: 2, accepts: isChat, group: oneSessionPerFile },
  'qwen-chats': { depth: 2, accepts: isChat, group: oneSessionPerFile },
  'cline-sessions': { depth: 1, accepts: isJson, group: groupCline },
  'cline-tasks': {
    depth: 1,
    accepts: (path) => basename(path) === 'api_conversation_history.json',
    group: oneSessionPerFile,
  },
};

/** Every session below these folders. Nothing is written; unreadable files are omitted and named. */
export function findSessions(folders: readonly AgentFolder[], isExcluded: (path: string) => boolean): FoundSessions {
  const found: FoundSessions = { sessions: [], databases: [], unreadable: [] };
  const seen = new Set<string>();
  for (const { agent, layout, folder } of folders) {
    if (seen.has(folder + layout)) continue;
    seen.add(folder + layout);
    const rule = RULES[layout];
    const files = filesBelow(folder, rule, isExcluded, found.unreadable);
    if (layout === 'opencode-data') found.databases.push(...databasesIn(folder));
    const byPath = new Map(files.map((file) => [file.path, file]));
    for (const { key, place } of rule.group(files)) {
      const paths = place.kind === 'files' ? place.paths : place.kind === 'opencode-storage' ? [place.info] : [];
      const parts = paths.map((path) => byPath.get(path)!.stats);
      found.sessions.push({ key, agent, layout, place, ...measuresOf(parts) });
    }
  }
  return found;
}

export function measuresOf(parts: readonly Stats[]): Pick<SessionFile, 'stamp' | 'bytes' | 'modifiedMs'> {
  return {
    stamp: parts.map(({ size, mtimeMs, ino }) => `${size}:${mtimeMs}:${ino}`).join(' '),
    bytes: parts.reduce((sum, { size }) => sum + size, 0),
    modifiedMs: Math.max(0, ...parts.map(({ mtimeMs }) => mtimeMs)),
  };
}

function filesBelow(
  folder: string,
  rule: LayoutRule,
  isExcluded: (path: string) => boolean,
  unreadable: string[],
): FoundFile[] {
  const files: FoundFile[] = [];
  const walk = (current: string, depth: number) => {
    for (const entry of entriesOf(current, unreadable)) {
      const path = join(current, entry.name);
      if (isExcluded(path)) continue;
      if (entry.isDirectory()) {
        if (depth > 0) walk(path, depth - 1);
      } else if ((entry.isFile() || entry.isSymbolicLink()) && rule.accepts(path)) {
        const stats = statsOf(path);
        if (stats?.isFile()) files.push({ path, stats });
      }
    }
  };
  if (!isExcluded(folder)) walk(folder, rule.depth);
  return files;
}

function entriesOf(folder: string, unreadable: string[]) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (!['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) unreadable.push(folder);
    return [];
  }
}

function statsOf(path: string): Stats | null {
  try {
    return statSync(path);
  } catch {
    // Removed since the folder was read.
    return null;
  }
}

function isJsonLines(path: string): boolean {
  return path.endsWith('.jsonl');
}

function isJson(path: string): boolean {
  return path.endsWith('.json');
}

function isChat(path: string): boolean {
  return basename(dirname(path)) === 'chats' && (isJsonLines(path) || isJson(path));
}

/**
 * `<project>/<session>.jsonl` with its subagents in `<project>/<session>/subagents/`, in older versions beside it as
 * `agent-<id>.jsonl`.
 */
function groupClaude(files: readonly FoundFile[]): Pick<SessionFile, 'key' | 'place'>[] {
  const sessions = new Map<string, string[]>();
  const subagents: { key: string; path: string }[] = [];
  for (const { path } of files) {
    const folder = dirname(path);
    if (basename(folder) === 'subagents') subagents.push({ key: `${dirname(folder)}.jsonl`, path });
    else if (basename(path).startsWith('agent-'))
      subagents.push({ key: join(folder, `${sessionIdInHead(path)}.jsonl`), path });
    else sessions.set(path, [path]);
  }
  for (const { key, path } of subagents.sort((one, other) => (one.path < other.path ? -1 : 1)))
    sessions.get(key)?.push(path);
  return [...sessions].map(([key, paths]) => ({ key, place: { kind: 'files', paths } }));
}

/** `<session>.json` beside `<session>.messages.json`. */
function groupCline(files: readonly FoundFile[]): Pick<SessionFile, 'key' | 'place'>[] {
  const groups = Map.groupBy(files, ({ path }) => path.replace(/(?:\.messages)?\.json$/, ''));
  return [...groups]
    .filter(([, parts]) => parts.some(({ path }) => path.endsWith('.messages.json')))
    .map(([key, parts]) => ({ key, place: { kind: 'files', paths: parts.map(({ path }) => path).sort() } }));
}

function isOpenCodeInfo(path: string): boolean {
  return isJson(path) && basename(dirname(dirname(path))) === 'session' && basename(path).startsWith('ses');
}

function groupOpenCode(files: readonly FoundFile[]): Pick<SessionFile, 'key' | 'place'>[] {
  return files.map(({ path }) => {
    const storage = dirname(dirname(dirname(path)));
    return {
      key: path,
      place: { kind: 'opencode-storage', storage, info: path, sessionId: basename(path, '.json') },
    };
  });
}

function databasesIn(folder: string): string[] {
  return entriesOf(folder, [])
    .filter((entry) => entry.isFile() && /^opencode[\w-]*\.db$/.test(entry.name))
    .map(({ name }) => join(folder, name));
}
