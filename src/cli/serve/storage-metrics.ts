import { Counter, Gauge, type Registry } from 'prom-client';
import type { Services } from '../../features/services.ts';
import type { StoreSpaceControl } from '../../store/store-space.ts';

/** Whether the service can store data, and the free space. Read at each scrape. */
export function watchStorage(
  registry: Registry,
  { storage }: Pick<Services, 'storage'>,
  space: Pick<StoreSpaceControl, 'read'>,
): void {
  const registers = [registry];
  new Gauge({
    name: 'misstep_storage_free_bytes',
    help: 'Free space on the disk of the data folder; NaN if the file system does not report it',
    registers,
    collect() {
      this.set(storage.state().freeBytes ?? Number.NaN);
    },
  });
  new Gauge({
    name: 'misstep_storage_min_free_bytes',
    help: 'Free space below which writes are rejected (--min-free, or twice the size of a long write-ahead log)',
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
  new Gauge({
    name: 'misstep_storage_database_bytes',
    help: 'Size of the database file',
    registers,
    collect() {
      const { pages, pageBytes } = space.read();
      this.set(pages * pageBytes);
    },
  });
  new Gauge({
    name: 'misstep_storage_database_free_bytes',
    help: 'Space in the database file that deleted data has left and that is not given back yet',
    registers,
    collect() {
      const { freePages, pageBytes } = space.read();
      this.set(freePages * pageBytes);
    },
  });
  new Gauge({
    name: 'misstep_storage_log_bytes',
    help: 'Size of the write-ahead log; it grows while another process reads the database for long',
    registers,
    collect() {
      this.set(space.read().logBytes);
    },
  });
  new Counter({
    name: 'misstep_storage_write_failures_total',
    help: 'Writes that failed because of a full, failing or read-only disk',
    registers,
    collect() {
      this.reset();
      this.inc(storage.state().failureCount);
    },
  });
}
