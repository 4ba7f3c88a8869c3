const MAX_TITLE_LENGTH = 80;
/** Text that Claude Code and Codex put before a plan that the user accepted. */
const PLAN_START = /^\s*(?:Implement the following plan:|A previous agent produced the plan below\b[^\n]{0,1000})\s*/;
const HEADING = /^ {0,3}#{1,6} /;

/**
 * A short title of a task, without markup, at most 80 characters: a plan's first heading, else the first line with words. A
 * heading above that line is only a label, used if there is no other line.
 */
export function titleOfTask(task: string): string | null {
  const isPlan = PLAN_START.test(task);
  const lines = task.replace(PLAN_START, '').slice(0, 4_000).split('\n').filter(hasWords);
  const title = lines.find((line) => HEADING.test(line) === isPlan) ?? lines[0];
  return title === undefined ? null : shortened(withoutMarkupOf(title, isPlan));
}

function hasWords(line: string): boolean {
  return /[\p{L}\p{N}]/u.test(line);
}

function withoutMarkupOf(line: string, isPlan: boolean): string {
  const withoutMarkup = line
    .replace(/^[\s#>*•-]+/, '')
    .replace(/[*`]+/g, '')
    .replace(/\s+/g, ' ')
    .trim();
  return isPlan ? withoutMarkup.replace(/^Plan:\s*/i, '') : withoutMarkup;
}

/** Cut between words if there is a space in the second half. */
function shortened(text: string): string {
  const characters = [...text.slice(0, MAX_TITLE_LENGTH * 4)];
  if (characters.length <= MAX_TITLE_LENGTH) return characters.join('');
  const cut = characters.slice(0, MAX_TITLE_LENGTH).join('');
  const space = cut.lastIndexOf(' ');
  const kept = space > cut.length / 2 ? cut.slice(0, space) : characters.slice(0, MAX_TITLE_LENGTH - 1).join('');
  return `${kept.trimEnd()}…`;
}
