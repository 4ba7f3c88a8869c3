import { describe, expect, it } from 'vitest';
import { planMemory, planOwnMemory } from './memory-plan.ts';

const GIB = 1024 ** 3;
const MIB = 1024 ** 2;

describe('the memory plan', () => {
  it.each([
    {
      memory: 24 * GIB,
      cores: 2,
      plan: { workers: 2, workerHeapMb: 2_048, maxBytesInFlight: 128 * MIB, maxBodyBytes: 64 * MIB },
    },
    {
      memory: 64 * GIB,
      cores: 32,
      plan: { workers: 5, workerHeapMb: 2_048, maxBytesInFlight: 128 * MIB, maxBodyBytes: 64 * MIB },
    },
    {
      memory: 2 * GIB,
      cores: 8,
      plan: { workers: 4, workerHeapMb: 1_024, maxBytesInFlight: 128 * MIB, maxBodyBytes: 64 * MIB },
    },
    {
      memory: 768 * MIB,
      cores: 4,
      plan: { workers: 2, workerHeapMb: 384, maxBytesInFlight: 96 * MIB, maxBodyBytes: 48 * MIB },
    },
    {
      memory: 256 * MIB,
      cores: 1,
      plan: { workers: 2, workerHeapMb: 128, maxBytesInFlight: 32 * MIB, maxBodyBytes: 16 * MIB },
    },
  ])('of $memory bytes and $cores cores', ({ memory, cores, plan }) => {
    expect(planMemory(memory, cores)).toEqual(plan);
  });

  it('of this process is finite although an unlimited cgroup reports an impossible number of bytes', () => {
    const { workers, workerHeapMb, maxBodyBytes } = planOwnMemory();
    expect(workers).toBeLessThanOrEqual(5);
    expect(workerHeapMb).toBeLessThanOrEqual(2_048);
    expect(maxBodyBytes).toBeGreaterThan(0);
  });
});
