import type { HealingOperation } from '../../../client/misstep-client.generated.ts';

/** Detectors that get a threshold by the plan and had none of their own before. */
export function newlySetThresholds({
  target,
  before,
  after,
}: Pick<HealingOperation, 'target' | 'before' | 'after'>): string[] {
  if (target.setting !== 'detector_overrides') return [];
  const namesBefore = new Set(namesOf(before));
  return namesOf(after).filter((name) => !namesBefore.has(name));
}

function namesOf(content: string | null): string[] {
  if (content === null) return [];
  try {
    return Object.keys(JSON.parse(content) as object);
  } catch {
    return [];
  }
}
