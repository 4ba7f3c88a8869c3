import type { ReadTurn } from './conversation.ts';
import { readTimeNs } from './time-of.ts';

/** The turns of a log; null if it is of another kind. `task` only if the log names it. */
export type ReadLog = (text: string) => { task?: string | null; turns: LoggedTurn[] } | null;

/** A line that starts a turn, or that only ends the previous one. */
type Heading =
  | { speaker: string; rest?: string; kind?: LoggedTurn['kind']; role?: string; atNs?: bigint | null }
  | 'none';

/** Splits a log into turns at its headings; lines before the first one are omitted. */
function cutAt(text: string, headingOf: (line: string) => Heading | null): LoggedTurn[] {
  const turns: LoggedTurn[] = [];
  let lines: string[] | null = null;
  const close = () => {
    const turn = turns.at(-1);
    if (lines !== null && turn !== undefined) turn.content = lines.join('\n').trim();
    lines = null;
  };
  for (const line of text.split('\n')) {
    const heading = headingOf(line);
    if (heading === null) {
      lines?.push(line);
      continue;
    }
    close();
    if (heading === 'none') continue;
    const { speaker, rest = '', kind = kindOf(speaker), role = roleOf(kind, speaker), atNs = null } = heading;
    turns.push({ speaker, role, kind, content: '', atNs });
    lines = [rest];
  }
  close();
  return turns.filter((turn) => turn.content !== '');
}

function kindOf(speaker: string): LoggedTurn['kind'] {
  return /^(?:human|user|system)$/i.test(speaker) || /proxy/i.test(speaker) ? 'message' : 'llm';
}

function roleOf(kind: LoggedTurn['kind'], speaker: string): string {
  if (kind === 'llm') return 'assistant';
  return speaker.toLowerCase() === 'system' ? 'system' : 'user';
}

const CHATDEV_LINE = /^\[\d{4}-\d\d-\d\d \d\d:\d\d:\d\d \w+\] ?(.*)$/;
const CHATDEV_TURN = /^([^:*]{1,80}): \*\*([^*]{1,200}) on ?: ?(\w{1,80}), turn \d+\*\*(.*)$/;
const CHATDEV_TASK = '**task_prompt**:';

/** ChatDev: `[time INFO] Role: **Role<->Role on : Phase, turn N**`. Its times swap day and month, so they are not read. */
function chatDev(text: string): ReturnType<ReadLog> {
  if (!/^\[\d{4}-\d\d-\d\d \d\d:\d\d:\d\d \w{1,10}\] [^:*\n]{1,80}: \*\*[^*\n]{1,200}\*\*/m.test(text)) return null;
  const turns = cutAt(text, (line) => {
    const logged = CHATDEV_LINE.exec(line);
    if (logged === null) return null;
    const match = CHATDEV_TURN.exec(logged[1]!);
    return match === null ? 'none' : { speaker: match[1]!.trim(), rest: match[4]! };
  });
  return { task: lineAfter(text, CHATDEV_TASK), turns };
}

const METAGPT_HEAD = /^\[(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)\] (?:FROM: (\S{1,80}) TO: .{0,200}|(NEW MESSAGES):\s*)$/;
const METAGPT_SPEAKER = /^([\w()][\w() -]{0,59}):/;

/** MetaGPT's communication log: `[time] FROM: Human TO: …`, `[time] NEW MESSAGES:` and the speaker on the next line. */
function metaGpt(text: string): ReturnType<ReadLog> {
  if (!/^\[\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\] (?:FROM: |NEW MESSAGES:)/m.test(text)) return null;
  const turns = cutAt(text, (line) => {
    if (/^-{20,}$/.test(line) || line.startsWith('=== ')) return 'none';
    const head = METAGPT_HEAD.exec(line);
    if (head === null) return null;
    return { speaker: head[2] ?? '', atNs: readTimeNs(head[1]!), ...(head[2] === undefined ? { kind: 'llm' } : {}) };
  }).map(withSpeaker);
  const first = turns.find(({ kind }) => kind === 'message');
  return { task: first?.content ?? null, turns: turns.filter(({ content }) => content !== '') };
}

function withSpeaker(turn: LoggedTurn): LoggedTurn {
  if (turn.speaker !== '') return { ...turn, content: afterMark(turn.content, 'CONTENT:') };
  const named = METAGPT_SPEAKER.exec(turn.content);
  if (named === null) return { ...turn, speaker: 'assistant' };
  return { ...turn, speaker: named[1]!.trim(), content: turn.content.slice(named[0].length).trim() };
}

const HYPERAGENT_LINE = /^\s*\S{1,200} - [A-Z]{4,8} - (.*)$/;
const HYPERAGENT_SPEAKER = /^((?:Inner-)?[A-Z]\w{1,40})(?:-Assistant)?'s Response: ?/;

/** HyperAgent: `HyperAgent_<id> - INFO - Planner's Response: …`; other lines of the logger belong to the system. */
function hyperAgent(text: string): ReturnType<ReadLog> {
  if (!/ - INFO - /.test(text)) return null;
  const turns = cutAt(text, (line) => {
    const logged = HYPERAGENT_LINE.exec(line);
    if (logged === null) return null;
    const speaker = HYPERAGENT_SPEAKER.exec(logged[1]!)?.[1];
    return { speaker: speaker ?? 'system', rest: logged[1]! };
  });
  return { turns };
}

/** Magentic-One's console: `---------- name ----------`. */
function magentic(text: string): ReturnType<ReadLog> {
  if (!/^-{6,20} [^\s-][^\n]{0,80} -{6,20}$/m.test(text)) return null;
  const turns = cutAt(text, (line) => {
    const speaker = /^-{6,} (\S.{0,80}?) -{6,}$/.exec(line)?.[1];
    if (speaker !== undefined) return { speaker };
    return /^SCENARIO\.PY (?:STARTING|COMPLETE)/.test(line) ? 'none' : null;
  });
  const first = turns.find(({ kind }) => kind === 'message');
  return { task: first?.content ?? null, turns };
}

/** AG2's console: `name (to other):`, a line of dashes between messages. */
function autoGen(text: string): ReturnType<ReadLog> {
  if (!/^\w[\w -]{0,60} \(to [\w -]{1,60}\):\s*$/m.test(text)) return null;
  const turns = cutAt(text, (line) => {
    if (/^-{20,}$/.test(line)) return 'none';
    const speaker = /^(\w[\w -]{0,60}?) \(to [\w -]{1,60}\):\s*$/.exec(line)?.[1];
    return speaker === undefined ? null : { speaker };
  });
  return { turns };
}

const YAML_KEY = /^( {0,12})(content|role|name):(.*)$/;

/** AG2's runs as indented text: `content:` with deeper lines, followed by `role:` and `name:`, in any order. */
function indented(text: string): ReturnType<ReadLog> {
  if (!/^\s{0,12}content:\s*$/m.test(text)) return null;
  const blocks: { content: string[]; role: string; name: string }[] = [];
  let depth = -1;
  for (const line of text.split('\n')) {
    const key = YAML_KEY.exec(line);
    if (key?.[2] === 'content' && (depth < 0 || key[1]!.length <= depth)) {
      depth = key[1]!.length;
      blocks.push({ content: [key[3]!.trim()], role: '', name: '' });
    } else if (key !== null && key[2] !== 'content' && key[1]!.length === depth) {
      blocks.at(-1)![key[2] as 'role' | 'name'] = key[3]!.trim();
    } else blocks.at(-1)?.content.push(line.trim());
  }
  return {
    task: null,
    turns: blocks.map(({ content, role, name }) => {
      const speaker = name || role || 'assistant';
      const kind = kindOf(speaker);
      return { speaker, role: role || roleOf(kind, speaker), kind, content: content.join('\n').trim(), atNs: null };
    }),
  };
}

const LOGURU = /^(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}) \| [A-Z]{1,10} {0,10}\| (.*)$/;

/** OpenManus: loguru lines with the agent's thoughts and the results of its tools. */
function openManus(text: string): ReturnType<ReadLog> {
  if (!/\| app\.agent\.\w+:/.test(text)) return null;
  const turns = cutAt(text, (line) => {
    const logged = LOGURU.exec(line);
    if (logged === null) return null;
    const message = logged[2]!.slice(logged[2]!.indexOf(' - ') + ' - '.length);
    const match = /^\W{0,6}(\w{1,40})'s thoughts: (.*)$/.exec(message);
    if (match !== null) return { speaker: match[1]!, rest: match[2]!, atNs: readTimeNs(logged[1]!) };
    const done = /^\W{0,6}Tool '([\w.-]{1,80})' completed its mission! Result: ?(.*)$/.exec(message);
    if (done === null) return 'none';
    return { speaker: done[1]!, role: 'tool', kind: 'message', rest: done[2]!, atNs: readTimeNs(logged[1]!) };
  });
  return { turns };
}

const APPWORLD =
  /^(?:Response from (\w[\w ]{0,40}?) Agent|(?:Message to|Reply from) (\w[\w ]{0,40}?) Agent|(Code Execution Output))\s*$/;

/** AppWorld: headings that announce a response, a message, or executed code. */
function appWorld(text: string): ReturnType<ReadLog> {
  if (!/^Response from \w[\w ]{0,40} Agent\s*$/m.test(text)) return null;
  const turns = cutAt(text, (line) => {
    if (/^(?:Entering|Exiting) .{1,60} message loop$/.test(line)) return 'none';
    const head = APPWORLD.exec(line);
    if (head === null) return null;
    if (head[1] !== undefined) return { speaker: head[1] };
    return head[2] === undefined ? { speaker: 'environment', role: 'tool', kind: 'message' } : 'none';
  });
  return { turns };
}

/** Ordered by how certain the form of a log identifies it. */
export const LOGS: readonly ReadLog[] = [
  chatDev,
  metaGpt,
  openManus,
  appWorld,
  magentic,
  hyperAgent,
  autoGen,
  indented,
];

function lineAfter(text: string, mark: string): string | null {
  const at = text.indexOf(mark);
  return at < 0
    ? null
    : text
        .slice(at + mark.length)
        .split('\n', 1)[0]!
        .trim() || null;
}

function afterMark(text: string, mark: string): string {
  const at = text.indexOf(mark);
  return at < 0 ? text : text.slice(at + mark.length).trim();
}

/** A turn of a published run: the speaker and its chat role. */
export interface LoggedTurn {
  speaker: string;
  role: string;
  kind: Exclude<ReadTurn['kind'], 'tool'>;
  content: string;
  atNs: bigint | null;
}
