import { type Json, parseJson } from '../../core/json.ts';

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
