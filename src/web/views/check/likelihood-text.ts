/** A probability in words: how many of 100 texts with this score are attacks. @param confidence 0–1, where half of all texts are attacks */
export function likelihoodText(confidence: number): string {
  const attacks = Math.round(confidence * 100);
  const share = attacks > 99 ? 'More than 99 of 100' : attacks < 1 ? 'Fewer than 1 of 100' : `About ${attacks} of 100`;
  return `${share} texts with this score are attacks if attacks are as frequent as ordinary texts; fewer where attacks are rarer.`;
}
