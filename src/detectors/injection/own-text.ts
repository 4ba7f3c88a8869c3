import type { Trace } from '../../core/trace.ts';
import { toolUses } from '../_readings/calls/calls.ts';
import type { ScoredText } from './scored-texts.ts';

/** Shorter pieces are repeated by chance. */
const MIN_PIECE = 12;
/** Probability below which a place of the text model has no effect. */
const NEGLIGIBLE = 0.3;

/**
 * The text without suspicious parts that the agent wrote itself: results often repeat the arguments of their call, and
 * agents read files that they wrote.
 */
export function withoutOwnText(text: ScoredText, trace: Trace): ScoredText {
  const { source, suspicions, place } = text;
  if (source.channel !== 'data' || (suspicions.length === 0 && place === null)) return text;
  const isOwn = ({ start, end }: { start: number; end: number }) =>
    isWrittenBefore(trace, source.text.slice(start, end), source.step);
  const external = suspicions.filter((suspicion) => !isOwn(suspicion));
  const isOwnPlace = place !== null && place.probability >= NEGLIGIBLE && isOwn(place);
  return { source, suspicions: external, place: isOwnPlace ? null : place };
}

function isWrittenBefore(trace: Trace, quote: string, step: number): boolean {
  const piece = longestPiece(quote);
  if (piece.length < MIN_PIECE) return false;
  return (
    toolUses(trace).some((use) => use.step <= step && use.argumentsText.includes(piece)) ||
    trace.steps.some(({ kind, index, output }) => kind === 'llm' && index < step && output.includes(piece))
  );
}

/** The longest part that JSON does not escape. */
function longestPiece(quote: string): string {
  const pieces = quote.split(/["\\\n\r\t]/).map((piece) => piece.trim());
  return pieces.reduce((longest, piece) => (piece.length > longest.length ? piece : longest), '');
}
