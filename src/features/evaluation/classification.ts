export interface Judged {
  score: number;
  label: boolean;
}

export interface Confusion {
  truePositives: number;
  falsePositives: number;
  falseNegatives: number;
  trueNegatives: number;
}

/** Probability that a positive scores above a negative, ties counting half; NaN if one side is empty. */
export function auroc(items: readonly Judged[]): number {
  const sorted = [...items].sort((a, b) => a.score - b.score);
  const positives = sorted.filter(({ label }) => label).length;
  const negatives = sorted.length - positives;
  let rankSum = 0;
  for (let from = 0; from < sorted.length; ) {
    let to = from;
    while (to < sorted.length && sorted[to]!.score === sorted[from]!.score) to += 1;
    const meanRank = (from + 1 + to) / 2;
    for (let index = from; index < to; index += 1) if (sorted[index]!.label) rankSum += meanRank;
    from = to;
  }
  return (rankSum - (positives * (positives + 1)) / 2) / (positives * negatives);
}

/** Counts with scores at or above the threshold as positive. */
export function confusionAt(items: readonly Judged[], threshold: number): Confusion {
  const counts = { truePositives: 0, falsePositives: 0, falseNegatives: 0, trueNegatives: 0 };
  for (const { score, label } of items) {
    if (score >= threshold) counts[label ? 'truePositives' : 'falsePositives'] += 1;
    else counts[label ? 'falseNegatives' : 'trueNegatives'] += 1;
  }
  return counts;
}

export function precision({ truePositives, falsePositives }: Confusion): number {
  return share(truePositives, truePositives + falsePositives);
}

export function recall({ truePositives, falseNegatives }: Confusion): number {
  return share(truePositives, truePositives + falseNegatives);
}

/** Harmonic mean of precision and recall; 0 if there are neither predictions nor positives. */
export function f1({ truePositives, falsePositives, falseNegatives }: Omit<Confusion, 'trueNegatives'>): number {
  return share(2 * truePositives, 2 * truePositives + falsePositives + falseNegatives);
}

export function balancedAccuracy({ truePositives, falsePositives, falseNegatives, trueNegatives }: Confusion): number {
  return (
    (share(truePositives, truePositives + falseNegatives) + share(trueNegatives, trueNegatives + falsePositives)) / 2
  );
}

function share(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}
