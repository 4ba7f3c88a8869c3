import type { ToolUse } from '../_readings/calls/calls.ts';

const MIN_COMMANDS = 3;
/** Share of the commands that begin in the same way. */
const MIN_SHARE = 0.6;
const MIN_WORDS = 2;
const MAX_LENGTH = 60;

/** Advice for a run that ended on a result that it repeated: to return it again does not help. */
export function otherSourceAdvice(uses: readonly ToolUse[], repeated: ToolUse, line: string): string {
  const who = repeated.agent ?? 'the agent';
  const shown = line.trim() === '' ? 'an empty result' : `the result of step ${repeated.step} ("${line}")`;
  if (repeated.command === null)
    return `The run already ended on ${shown}: have ${who} pass other arguments to ${repeated.name} or call another tool, and compare the result with the task before the run ends.`;
  const start = commonStart(uses.filter(({ command, agent }) => command !== null && agent === repeated.agent));
  const known = start === null ? '' : `, and ${start.count} of its ${start.all} commands begin with "${start.text}"`;
  const pattern = TOP_LEVEL.exec(repeated.command)?.[1];
  const scope = pattern === undefined ? '' : ` ("${pattern}" covers only what is directly in that folder)`;
  return `The run already ended on ${shown}${known}: have ${who} read another source or another scope${scope}, and compare the result with the task before the run ends.`;
}

/** A path whose last part is only a wildcard. The shell expands it without subfolders. */
const TOP_LEVEL = /(?:^|\s)([\w./~-]{0,100}\/\*)(?=\s|$)/;

interface CommonStart {
  text: string;
  count: number;
  all: number;
}

/** The words with which most of the commands begin; null if these are fewer than two words. */
function commonStart(uses: readonly ToolUse[]): CommonStart | null {
  const commands = uses.map(({ command }) => command!.trim().split(/\s+/));
  const groups = Map.groupBy(commands, (words) => words.slice(0, MIN_WORDS).join(' '));
  const [largest] = [...groups.values()].sort((a, b) => b.length - a.length);
  if (largest === undefined || largest.length < MIN_COMMANDS || largest.length < MIN_SHARE * commands.length)
    return null;
  const [first] = largest;
  let length = 0;
  while (length < first!.length && largest.every((words) => words[length] === first![length])) length += 1;
  const text = first!.slice(0, length).join(' ');
  return length < MIN_WORDS || text.length > MAX_LENGTH ? null : { text, count: largest.length, all: commands.length };
}
