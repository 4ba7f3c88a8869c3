import { readGauge } from '../../../test/support/gauge.ts';

/** Runs of the gauge: programs of real frameworks against scripted model servers, with failing twins. */
export interface GaugeCounts {
  healthy: number;
  /** Healthy runs with a detection of `warning` or higher. */
  flagged: number;
}

const RECORDED = new URL('../../../test/gauge/recorded/', import.meta.url);

export function gaugeCounts(): GaugeCounts {
  const healthy = readGauge(RECORDED).flatMap(({ runs }) => runs.filter(({ failure }) => failure === null));
  return { healthy: healthy.length, flagged: healthy.filter(({ warnings }) => warnings.length > 0).length };
}
