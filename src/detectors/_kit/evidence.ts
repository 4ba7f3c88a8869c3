import type { Evidence } from '../../core/detection.ts';

/** Texts are compared up to this length: a quote is much shorter. */
const COMPARED_CHARACTERS = 2_000;

/** Evidence in which each text is listed once, at its first step and with the number of its steps. */
export function withoutRepeatedTexts(evidence: readonly Evidence[]): Evidence[] {
  const same = Map.groupBy(evidence, (piece) => keyOf(piece));
  return [...same.values()].map((pieces) => {
    const stepCount = stepCountOf(pieces);
    return stepCount === 1 ? pieces[0]! : { ...pieces[0]!, stepCount };
  });
}

/** Evidence without a quote is equal only to itself. */
function keyOf(piece: Evidence): unknown {
  const { kind, path, quote, value } = piece;
  return quote === null ? piece : JSON.stringify([kind, path, quote.slice(0, COMPARED_CHARACTERS), value]);
}

function stepCountOf(pieces: readonly Evidence[]): number {
  const bySpan = Map.groupBy(pieces, ({ spanId }) => spanId);
  return [...bySpan.values()].reduce((sum, own) => sum + Math.max(...own.map(({ stepCount }) => stepCount ?? 1)), 0);
}
