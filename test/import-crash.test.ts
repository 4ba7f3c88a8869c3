import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { measureImport } from '../scripts/bench/import.ts';

/** Bound for an import of 100 MB; less data must not need more. */
const MEMORY_BOUND_MB = 300;

describe.skipIf(!existsSync('/proc/self/status'))('an import into a served program (memory is read from /proc)', () => {
  it('has every span once after kill -9 half-way, within bounded memory', async () => {
    const figures = await measureImport(8);
    expect(figures.killedAt).toBeGreaterThan(0);
    expect(figures.peakMb - figures.idleMb).toBeLessThan(MEMORY_BOUND_MB);
    expect(figures.resumedPeakMb - figures.idleMb).toBeLessThan(MEMORY_BOUND_MB);
  }, 180_000);
});
