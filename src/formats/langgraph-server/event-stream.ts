import { type Json, parseJson } from '../../core/json.ts';

export interface StreamEvent {
  /** `metadata`, `debug`, `values`, …, without the subgraph path after `|`. */
  type: string;
  /** `node:task|node:task` of the subgraph of the event; empty for the outermost graph. */
  path: string;
  data: Json;
  /** Line number of its data, from one. */
  line: number;
}

/** Whether a text looks like a server-sent event stream of a run. */
export function isRunStream(start: string): boolean {
  return /^event: ?(?:metadata|values|debug|updates|messages|checkpoints|tasks|events)\b/.test(start);
}

/** Events in order (WHATWG HTML, server-sent events). Data that is not JSON is passed to `reject` with its line number and the number of events before it. */
export function readEventStream(text: string, reject: (line: number, events: number) => void): StreamEvent[] {
  const events: StreamEvent[] = [];
  let name = '';
  let data: string[] = [];
  const lines = text.split(/\r\n|\n|\r/);
  [...lines, ''].forEach((line, at) => {
    if (line.startsWith('event:')) name = line.slice('event:'.length).trim();
    if (line.startsWith('data:')) data.push(line.slice('data:'.length));
    if (line !== '' || data.length === 0) return;
    const value = parseJson(data.join('\n'));
    const [type = '', ...path] = name.split('|');
    if (value === undefined) reject(at, events.length);
    else events.push({ type, path: path.join('|'), data: value, line: at });
    [name, data] = ['', []];
  });
  return events;
}
