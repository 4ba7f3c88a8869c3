/**
 * Meaning of a score: the share of ordinary texts with at least this score, rarest last. The fit maps its curves to these
 * points, so that a score has the same meaning in both channels.
 */
export const FALSE_ALARM_LEVELS: readonly (readonly [share: number, score: number])[] = [
  [0.5, 0.03],
  [0.2, 0.1],
  [0.1, 0.18],
  [0.05, 0.28],
  [0.02, 0.4],
  [0.01, 0.5],
  [0.005, 0.6],
  [0.002, 0.72],
  [0.0005, 0.82],
];
/** Above the scores that ordinary texts reached, the share is an extrapolation that only preserves the order. */
const SCALE = [[1, 0] as const, ...FALSE_ALARM_LEVELS, [0.0001, 0.88] as const, [0.000001, 1] as const].map(
  ([share, score]) => [Math.log(share), score] as const,
);

/**
 * The score of `count` texts together, from the score of the most certain one: with more texts, a high score by chance is
 * more likely (Bonferroni's bound on the share of false alarms).
 */
export function adjustForCount(score: number, count: number): number {
  if (count <= 1) return score;
  return scoreOfShare(Math.min(0, shareOfScore(score) + Math.log(count)));
}

function shareOfScore(score: number): number {
  const at = Math.max(
    1,
    SCALE.findIndex(([, known]) => known >= score),
  );
  const [[left, low], [right, high]] = [SCALE[at - 1]!, SCALE[at]!];
  return left + ((right - left) * (score - low)) / (high - low);
}

function scoreOfShare(share: number): number {
  const at = Math.max(
    1,
    SCALE.findIndex(([known]) => known <= share),
  );
  const [[left, low], [right, high]] = [SCALE[at - 1]!, SCALE[at]!];
  return low + ((high - low) * (left - share)) / (left - right);
}
