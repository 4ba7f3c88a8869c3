import { titleOfTask } from '../misstep/task-title.ts';

const UUID = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/i;

/** A title with an id in it was made up by a program and names nothing. */
export function titleOrNull(title: string | null): string | null {
  return title === null || title.trim() === '' || UUID.test(title) ? null : title;
}

/** What a person would call a session: its title, else its task, each by the rule for tasks. */
export function sessionName(title: string | null, task: string | null, otherwise: string): string {
  return titleOfTask(title ?? task ?? '') ?? otherwise;
}
