import { capitalized } from '../_kit/text.ts';
import type { ToolUse } from '../_readings/calls/calls.ts';

const MIN_COMMANDS = 3;
/** Share of the commands that begin in the same way. */
const MIN_SHARE = 0.6;
const MIN_WORDS = 2;
const MAX_LENGTH = 60;

/**
 * Advice for a run that ended on a result that it repeated. Whether the result is right is not known: the run can end with
 * it at its first occurrence, or it has to change what all its calls have in common.
 */
export function otherSourceAdvice(uses: readonly ToolUse[], repeated: ToolUse, line: string): string {
  const who = repeated.agent ?? 'the agent';
  const isEmpty = line.trim() === '';
  const shown = isEmpty ? 'an empty result' : `the result of step ${repeated.step} ("${line}")`;
  if (repeated.command === null)
    return `The run already ended on ${shown}: have ${who} pass other arguments to ${repeated.name} or call another tool, and compare the result with the task before the run ends.`;
  const start = commonStart(commandsOf(uses, repeated));
  const part = start === null ? 'the source or the scope of the command' : `what ${countText(start)} have in common`;
  const end = isEmpty ? 'say that nothing was found' : `end the run with ${shown}`;
  return `An equal call returns the same again: have ${who} ${end}, or change ${part}${start === null ? '' : ` ("${start.text}")`}${scopeText(repeated)}. Have it compare the result with the task first.`;
}

function scopeText({ command }: ToolUse): string {
  const pattern = TOP_LEVEL.exec(command ?? '')?.[1];
  return pattern === undefined ? '' : `, because "${pattern}" covers only what is directly in that folder`;
}

/** One sentence with a leading space: what most commands of the agent have in common; empty if they do not. */
export function commonStartText(uses: readonly ToolUse[], repeated: ToolUse): string {
  const start = repeated.command === null ? null : commonStart(commandsOf(uses, repeated));
  return start === null ? '' : ` ${capitalized(countText(start))} begin with "${start.text}".`;
}

function countText({ count, all }: CommonStart): string {
  return count === all ? `all ${all} commands of the run` : `${count} of the ${all} commands of the run`;
}

function commandsOf(uses: readonly ToolUse[], { agent }: ToolUse): ToolUse[] {
  return uses.filter((use) => use.command !== null && use.agent === agent);
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
