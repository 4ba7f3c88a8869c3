const LONGEST_NAME = 80;
const UUID = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/i;

/** A title with an id in it was made up by a program and names nothing. */
export function titleOrNull(title: string | null): string | null {
  return title === null || title.trim() === '' || UUID.test(title) ? null : title;
}

/** What a person would call a session: its title, else the first line of its task, cut at a word. */
export function sessionName(title: string | null, task: string | null, otherwise: string): string {
  const lines = (title ?? task ?? '')
    .split('\n')
    .map((line) => line.trim().replace(/\s+/g, ' '))
    .filter((line) => line !== '');
  // A heading above the first sentence only labels it.
  const line = lines.find((each) => !each.startsWith('#')) ?? lines[0]?.replace(/^#+ */, '');
  if (line === undefined || line === '') return otherwise;
  if (line.length <= LONGEST_NAME) return line;
  const cut = line.slice(0, LONGEST_NAME);
  const space = cut.lastIndexOf(' ');
  return `${(space > LONGEST_NAME / 2 ? cut.slice(0, space) : cut).trimEnd().toWellFormed()}…`;
}
