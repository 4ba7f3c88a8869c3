import { closeSync, constants, fstatSync, openSync, readFileSync, realpathSync } from 'node:fs';
import { isAbsolute, join, sep } from 'node:path';

/** A longer transcript must be imported with `misstep import`. */
const LARGEST_BYTES = 64 * 1024 * 1024;

/**
 * Reads a session's transcript that a hook call named. Null unless it is a regular file of this user with the name
 * `*.jsonl` below the agent's own folder, links resolved: a hook call must not make Misstep read anything else.
 *
 * @param agentFolder folder in which the agent keeps its transcripts: `~/.claude/projects`
 */
export function readTranscriptFile(path: string, agentFolder: string): Buffer | null {
  if (!isAbsolute(path) || !path.endsWith('.jsonl') || path.includes('\0')) return null;
  let file: number | null = null;
  try {
    const real = realpathSync(path);
    if (!real.startsWith(realpathSync(agentFolder) + sep) || !real.endsWith('.jsonl')) return null;
    file = openSync(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const stat = fstatSync(file);
    const isOwn = process.getuid === undefined || stat.uid === process.getuid();
    return stat.isFile() && isOwn && stat.size <= LARGEST_BYTES ? readFileSync(file) : null;
  } catch {
    return null; // removed, moved or not readable: only the hooks describe the session
  } finally {
    if (file !== null) closeSync(file);
  }
}

/** The folder of Claude Code's transcripts. */
export function claudeFolder(home: string, env: Readonly<Record<string, string | undefined>>): string {
  return join(env.CLAUDE_CONFIG_DIR || join(home, '.claude'), 'projects');
}
