import { type Json, parseJson } from '../../core/json.ts';

/** Whether a text begins like such a log; Dify names its events within the data, unlike others. */
export function isEventLog(start: string): boolean {
  const first = start.split('\n').find((line) => line.startsWith('data:'));
  return first !== undefined && /^data: ?\{"event": ?"/.test(first);
}

/**
 * The events of a log of server-sent events as Dify streams them: one `data: {…}` per line, `event: ping` and blank lines
 * in between. Lines of JSON alone are also accepted. Any other line is null, so that positions stay correct.
 */
export function readEventLog(text: string): Json[] {
  const events: Json[] = [];
  for (const line of text.split('\n')) {
    const trimmed = line.trim();
    if (trimmed === '' || /^(?:event|id|retry)?:/.test(trimmed)) continue;
    events.push(parseJson(trimmed.startsWith('data:') ? trimmed.slice('data:'.length).trim() : trimmed) ?? null);
  }
  return events;
}
