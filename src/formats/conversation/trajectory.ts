import { isJsonObject, type Json, parseJson } from '../../core/json.ts';
import { parsePythonLiteral } from '../records/python-literal.ts';
import type { LoggedTurn } from './trajectory-logs.ts';
import { LOGS } from './trajectory-logs.ts';

export interface Trajectory {
  task: string | null;
  turns: LoggedTurn[];
  /** Index of an unreadable part with the reason; null if it is the whole. */
  rejected: { at: number | null; why: string }[];
}

const EMPTY: Trajectory = { task: null, turns: [], rejected: [] };

/**
 * The turns of a run in the MAST data set: messages as JSON or as Python prints them, or the log of ChatDev, MetaGPT,
 * HyperAgent, Magentic-One, AG2, OpenManus or AppWorld, distinguished by their form. A log of another kind is one turn.
 */
export function readTrajectory(value: Json | undefined, system: string): Trajectory {
  if (typeof value === 'string') return readText(value.replaceAll('\r\n', '\n'), system);
  if (Array.isArray(value)) return readList(value, system);
  if (!isJsonObject(value)) return { ...EMPTY, rejected: [{ at: null, why: 'must be a text, a list or an object' }] };
  const inner = readTrajectory(value.trajectory ?? value.messages ?? value.history, system);
  return { ...inner, task: textIn(value.problem_statement) || inner.task };
}

function readList(items: readonly Json[], system: string): Trajectory {
  if (items.length > 0 && items.every((item) => typeof item === 'string')) return readText(items.join('\n'), system);
  const read = items.map(readMessage);
  const turns = read.filter((turn) => typeof turn !== 'string');
  return {
    task: turns[0] === undefined ? null : problemIn(turns[0].content),
    turns,
    rejected: read.flatMap((turn, at) => (typeof turn === 'string' ? [{ at, why: turn }] : [])),
  };
}

function readMessage(item: Json): LoggedTurn | string {
  if (!isJsonObject(item)) return 'a message must be an object';
  const role = textIn(item.role) || 'assistant';
  const speaker = textIn(item.name) || role;
  if (item.content === undefined) return 'a message must have content';
  const isPerson = /^(?:user|human|system)$/i.test(speaker) || /proxy/i.test(speaker);
  return { speaker, role, kind: isPerson ? 'message' : 'llm', content: textIn(item.content), atNs: null };
}

/** AG2 stores a message as a list of lines. */
function textIn(value: Json | undefined): string {
  if (typeof value === 'string') return value.trim();
  if (Array.isArray(value))
    return value
      .map((line) => (typeof line === 'string' ? line : JSON.stringify(line)))
      .join('\n')
      .trim();
  return value === undefined || value === null ? '' : JSON.stringify(value);
}

function readText(text: string, system: string): Trajectory {
  if (text.trim() === '') return { ...EMPTY, rejected: [{ at: null, why: 'is empty' }] };
  const structured = structuredIn(text.trim());
  if (structured !== null) return readTrajectory(structured, system);
  for (const read of LOGS) {
    const found = read(text);
    if (found !== null && found.turns.length > 0)
      return { task: problemIn(found.turns[0]!.content), ...found, rejected: [] };
  }
  const whole: LoggedTurn = { speaker: system, role: 'assistant', kind: 'llm', content: text.trim(), atNs: null };
  return { task: null, turns: [whole], rejected: [{ at: null, why: 'a log of an unknown kind: kept as one turn' }] };
}

/** JSON, or messages as Python prints them: a list, or one after the other. */
function structuredIn(text: string): Json[] | Json | null {
  if (!/^[{[]/.test(text)) return null;
  const value = parseJson(text) ?? (text.startsWith('[') ? parsePythonLiteral(text) : undefined);
  if (typeof value === 'object' && value !== null) return value;
  const messages = /^\{\s*['"]/.test(text) ? printedMessages(text) : [];
  return messages.length > 0 ? messages : null;
}

/** Concatenated printed Python dictionaries, split where one ends and the next begins. */
function printedMessages(text: string): Json[] {
  const pieces = text.split(/(?<=\})[\s,]*(?=\{\s*['"](?:content|role|name)['"]\s*:)/);
  return pieces.flatMap((piece) => {
    const value = parsePythonLiteral(piece.trim());
    return value === undefined ? [] : [value];
  });
}

const PROBLEM = '\nProblem:\n';

/** The problem in MathChat's first message, after its standing instructions. */
function problemIn(message: string): string | null {
  const at = message.indexOf(PROBLEM);
  return at < 0 ? null : message.slice(at + PROBLEM.length).trim() || null;
}
