// Counts coding-agent sessions from their raw files, without the product's code:
//   node scripts/sessions/recount.ts FILE...
import { pathToFileURL } from 'node:url';
import { countClaudeCode } from './count-claude-code.ts';
import { countCodex } from './count-codex.ts';
import { countCopilotCli } from './count-copilot-cli.ts';
import { countOpencode } from './count-opencode.ts';
import { countPi } from './count-pi.ts';
import { countSweAgent } from './count-swe-agent.ts';
import { type Fields, fieldsOf } from './json-value.ts';
import type { SessionCount } from './session-count.ts';
import { readSessionFile, type SessionFile } from './session-file.ts';

export function recountFile(path: string): SessionCount | null {
  return recount(readSessionFile(path));
}

/** Null: the file is no session of a product that is counted here. */
export function recount(file: SessionFile): SessionCount | null {
  const count = counterOf(file);
  if (count && file.unreadableLines > 0) count.notes.push(`${file.unreadableLines} lines are not JSON`);
  return count;
}

function counterOf({ records, document }: SessionFile): SessionCount | null {
  if (document?.trajectory) return countSweAgent(document);
  if (document?.messages && fieldsOf(document.info).id) return countOpencode(document);
  const has = (test: (record: Fields) => boolean) => records.some(test);
  if (has((record) => record.type === 'session_meta')) return countCodex(records);
  if (has((record) => record.type === 'session.start')) return countCopilotCli(records);
  if (has((record) => record.type === 'session' && record.cwd !== undefined)) return countPi(records);
  return has((record) => record.sessionId !== undefined) ? countClaudeCode(records) : null;
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href)
  for (const path of process.argv.slice(2)) console.log(JSON.stringify({ path, ...recountFile(path) }, null, 2));
