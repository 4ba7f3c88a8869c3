import { type Json, parseJson } from '../../core/json.ts';

/** Whether a text begins as such a log does; Dify names its events within the data, unlike others. */
export function isEventLog(start: string): boolean {
  const first = start.split('\n').find((line) => line.startsWith('data:'));
  return first !== undefined && /^data: ?\{"event": ?"/.test(first);
}

/**
 * The events of a log of server-sent events as Dify streams them: `data: {…}` a line, `event: ping` and blank lines between.
 * Lines of JSON alone are taken, too. A line that is neither comes as null, so that its place is kept.
 */
export function readEventLog(text: string): Json[] {
  const events: Json[] = [];
  for (const line of text.split('\n')) {
    const said = line.trim();
    if (said === '' || /^(?:event|id|retry)?:/.test(said)) continue;
    events.push(parseJson(said.startsWith('data:') ? said.slice('data:'.length).trim() : said) ?? null);
  }
  return events;
}
