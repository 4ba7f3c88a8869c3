import { HEALTHY, type HealthCheck } from '../health/health-check.ts';
import type { StorageGuard, StorageProblem } from './storage-guard.ts';

const DETAILS: Readonly<Record<StorageProblem, string>> = {
  low_space: 'Less disk space is free than --min-free asks for: writes get 503, reads and deletions work.',
  full: 'The disk is full: writes get 503, reads and deletions work.',
  read_only: 'The data folder cannot be written: writes get 503.',
  failing: 'The disk or the file system reports errors: writes get 503.',
};

/** Whether data can be stored. */
export function storageCheck(guard: Pick<StorageGuard, 'state'>): HealthCheck {
  return {
    name: 'storage',
    check() {
      const { trouble } = guard.state();
      return trouble === null ? HEALTHY : { state: 'unavailable', detail: DETAILS[trouble] };
    },
  };
}
