import type { Trace } from '../../../core/trace.ts';
import { wordOverlap, words } from '../../_kit/text.ts';
import { differingPieces } from '../../_kit/text-difference.ts';
import { codeArgument } from '../calls/argument-roles.ts';
import { type ToolUse, toolUses } from '../calls/calls.ts';
import { obstacleOf } from './call-obstacle.ts';

/** An earlier successful call of which a failed call is a variant. */
export interface WorkedVersion {
  step: number;
  /** The texts of the earlier and the failed call at the first difference. */
  pieces: [string, string];
}

/** Share of words that two variants have in common. */
const MIN_OVERLAP = 0.6;
const MAX_COMPARED_CALLS = 12;
const PIECE_CHARACTERS = 60;

/**
 * The last earlier call of the same tool and agent that returned a result and whose command or code is nearly the same. Null
 * for structured arguments: they may name another record.
 */
export function workedVersion(trace: Trace, use: ToolUse): WorkedVersion | null {
  if (use.command === null && typeof use.arguments !== 'string' && codeArgument(use.arguments) === null) return null;
  const text = use.command ?? use.argumentsText;
  const own = new Set(words(text));
  const before = toolUses(trace).filter(
    ({ step, name, agent, hasResult }) => step < use.step && name === use.name && agent === use.agent && hasResult,
  );
  for (const earlier of before.slice(-MAX_COMPARED_CALLS).toReversed()) {
    const other = earlier.command ?? earlier.argumentsText;
    if (wordOverlap(own, new Set(words(other))) < MIN_OVERLAP && !differInOptions(other, text)) continue;
    const pieces = differingPieces(other, text, PIECE_CHARACTERS);
    if (pieces !== null && obstacleOf(trace, earlier).kind === 'result') return { step: earlier.step, pieces };
  }
  return null;
}

/** Whether two simple commands start the same program on the same operands, with other options. */
function differInOptions(one: string, other: string): boolean {
  if (/[|;&<>\n]/.test(`${one}${other}`)) return false;
  const [own, others] = [one, other].map((text) => text.trim().split(/\s+/));
  const operands = (tokens: readonly string[]) => tokens.filter((token) => !token.startsWith('-')).join(' ');
  return own!.length > 1 && own![0] === others![0] && operands(own!) === operands(others!);
}
