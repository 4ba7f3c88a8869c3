/** Minimum similarity of a suggestion. */
const MIN_SIMILARITY = 0.35;

/** Up to `limit` of the names, the one most similar to `name` first (Dice coefficient over letter pairs). */
export function nearestNames(name: string, names: readonly string[], limit = 5): string[] {
  const wanted = pairsOf(name);
  return names
    .map((candidate) => ({ candidate, similarity: diceOf(wanted, pairsOf(candidate)) }))
    .filter(({ similarity }) => similarity >= MIN_SIMILARITY)
    .sort((a, b) => b.similarity - a.similarity || (a.candidate < b.candidate ? -1 : 1))
    .slice(0, limit)
    .map(({ candidate }) => candidate);
}

function pairsOf(name: string): Set<string> {
  const text = name.toLowerCase();
  const pairs = new Set<string>();
  for (let i = 0; i + 1 < text.length; i++) pairs.add(text.slice(i, i + 2));
  return pairs;
}

function diceOf(a: Set<string>, b: Set<string>): number {
  if (a.size === 0 || b.size === 0) return 0;
  let shared = 0;
  for (const pair of a) if (b.has(pair)) shared++;
  return (2 * shared) / (a.size + b.size);
}
