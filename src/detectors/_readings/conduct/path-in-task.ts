import type { Trace } from '../../../core/trace.ts';
import { folderOf } from './failed-command.ts';

/** Whether a path has wildcards. */
export function isPattern(path: string): boolean {
  return /[*?]/.test(path);
}

/** Words of a task that asks for the folders below a folder, too. */
const ASKS_FOR_TREE =
  /\b(?:recursive(?:ly)?|sub-?(?:folders?|director(?:y|ies)|trees?)|trees?|under|below|beneath)\b|rekursiv|Unterordner|récursi|sous-dossiers?|recursiv|subcarpetas?/i;

/** One sentence with a leading space if the task asks for a whole tree and the pattern covers one folder of it. */
export function treeAdvice({ task }: Trace, path: string): string {
  const folder = folderOf(path);
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (task === null || folder === null || isPattern(folder) || !isPattern(name) || !ASKS_FOR_TREE.test(task)) return '';
  return ` The task asks for the folders below it, too, which this pattern does not cover: \`find ${folder} -name '${name}'\` searches them.`;
}

const MIN_NAME_LENGTH = 3;

/** Says that the task writes the name in other letter case; empty if it does not. */
export function otherCaseText({ task }: Trace, path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1).replace(/^[*?]{1,20}|[*?]{1,20}$/g, '');
  if (task === null || name.length < MIN_NAME_LENGTH || /[*?]/.test(name) || task.includes(name)) return '';
  const at = task.toLowerCase().indexOf(name.toLowerCase());
  return at === -1 ? '' : `, and the task writes "${task.slice(at, at + name.length)}"`;
}
