import { Counter, Gauge, type Registry } from 'prom-client';
import type { Services } from '../../features/services.ts';

/** Whether the service can store, and how much room there is. Read at each scrape. */
export function watchStorage(registry: Registry, { storage }: Pick<Services, 'storage'>): void {
  const registers = [registry];
  new Gauge({
    name: 'misstep_storage_free_bytes',
    help: 'Free space on the disk of the data folder; NaN where the file system does not say',
    registers,
    collect() {
      this.set(storage.state().freeBytes ?? Number.NaN);
    },
  });
  new Gauge({
    name: 'misstep_storage_min_free_bytes',
    help: 'Free space below which writes are refused (--min-free)',
    registers,
    collect() {
      this.set(storage.state().floorBytes);
    },
  });
  new Gauge({
    name: 'misstep_storage_writable',
    help: '1 while everything can be stored, 0 while writes get 503',
    registers,
    collect() {
      this.set(storage.isWritable() ? 1 : 0);
    },
  });
  new Counter({
    name: 'misstep_storage_write_failures_total',
    help: 'Writes that met a full, failing or read-only disk',
    registers,
    collect() {
      this.reset();
      this.inc(storage.state().failureCount);
    },
  });
}
