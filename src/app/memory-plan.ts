import { availableParallelism, totalmem } from 'node:os';

/** How much of the machine's memory each part of the server may use. */
export interface MemoryPlan {
  /** Worker threads of each pool. */
  workers: number;
  /** V8 heap of one worker, MiB. A task that needs more ends its worker, not the server. */
  workerHeapMb: number;
  /** Bytes of all request bodies in memory at one time. */
  maxBytesInFlight: number;
  /** Bytes of one request body. */
  maxBodyBytes: number;
}

const MIB = 1024 * 1024;
/** At least two, because one tenant may not use all workers of a pool. */
const WORKERS = { min: 2, max: 5 };
/** Memory of a worker that reads large traces. */
const MEMORY_PER_WORKER = 512 * MIB;
const MAX_HEAP_MB = 2_048;
const MAX_IN_FLIGHT = 128 * MIB;
const MAX_BODY_BYTES = 64 * MIB;

export function planMemory(memoryBytes: number, cores: number): MemoryPlan {
  const maxBytesInFlight = Math.min(MAX_IN_FLIGHT, Math.floor(memoryBytes / 8));
  const workers = Math.min(WORKERS.max, cores, Math.floor(memoryBytes / MEMORY_PER_WORKER));
  return {
    workers: Math.max(WORKERS.min, workers),
    workerHeapMb: Math.min(MAX_HEAP_MB, Math.floor(memoryBytes / 2 / MIB)),
    maxBytesInFlight,
    // A body and its decompressed content are in memory at the same time.
    maxBodyBytes: Math.min(MAX_BODY_BYTES, Math.floor(maxBytesInFlight / 2)),
  };
}

/** Plan for this process: the limit of its cgroup where one is set, otherwise the memory of the machine. */
export function planOwnMemory(): MemoryPlan {
  const limit = process.constrainedMemory();
  return planMemory(limit > 0 ? Math.min(limit, totalmem()) : totalmem(), availableParallelism());
}
