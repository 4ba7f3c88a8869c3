/** Points (score, probability) with rising scores: linear between points, constant outside. */
export type ProbabilityCurve = readonly (readonly [score: number, probability: number])[];

/** @param curve at least one point */
export function probabilityOf(curve: ProbabilityCurve, score: number): number {
  const [first, last] = [curve[0]!, curve[curve.length - 1]!];
  if (!(score > first[0])) return first[1];
  if (score >= last[0]) return last[1];
  let low = 0;
  let high = curve.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (curve[middle]![0] <= score) low = middle;
    else high = middle;
  }
  const [lowScore, lowProbability] = curve[low]!;
  const [highScore, highProbability] = curve[high]!;
  return lowProbability + ((highProbability - lowProbability) * (score - lowScore)) / (highScore - lowScore);
}

/** The score at which the curve first reaches a probability; null if it never does. */
export function scoreAt(curve: ProbabilityCurve, probability: number): number | null {
  const above = curve.findIndex(([, reached]) => reached >= probability);
  if (above === -1) return null;
  const [highScore, high] = curve[above]!;
  if (above === 0) return highScore;
  const [lowScore, low] = curve[above - 1]!;
  return lowScore + ((highScore - lowScore) * (probability - low)) / (high - low);
}
