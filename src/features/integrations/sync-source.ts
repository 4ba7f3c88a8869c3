import type { Integration } from '../../core/integration.ts';
import type { PlatformSyncTable, RegistrationTable } from '../../store/integration-tables.ts';
import type { BodyDecoder } from '../ingest/prepare.ts';
import type { RunNotice } from './run-notice.ts';

/** A raw response of a platform. */
export interface Fetched<Params, Facts> {
  body: Buffer;
  params: Params;
  /** The sync row's columns once the response is stored. `page_cursor` null: it was the last page. */
  valuesOf(facts: Facts): Partial<PlatformSyncTable>;
}

/** Content of a platform's response besides spans. */
export interface SyncFacts {
  /** A run with more stored facts is unchanged. */
  isSummary: boolean;
  runs: RunNotice[];
  /** Number of records that the sync run selected to store. */
  selected: number;
  /** Number of selected records that cannot be decoded. */
  rejected: number;
}

/** The platform-specific part of a sync. */
export interface SyncSource<Access, Params, Facts extends SyncFacts> {
  integration: Integration;
  /** Name of the kind of registration whose runs are fetched. */
  kind: string;
  /** Columns that a full sync run resets. */
  resetColumns: Partial<PlatformSyncTable>;
  /** Decodes the responses, off the event loop if they are large. */
  decoder: BodyDecoder<Params, Facts>;
  /** @throws AppError `conflict` if it cannot be called */
  accessOf(registration: RegistrationTable): Promise<Access>;
  /** Registration with the schedule; null: none. */
  instanceOf(registration: RegistrationTable): Promise<RegistrationTable | null>;
  /** Runs that an earlier sync run left open, fetched one by one at the start of a sync run. */
  reopened?(row: PlatformSyncTable, access: Access): AsyncIterable<Fetched<Params, Facts>>;
  /** The next page of the sync run; then, while it is too large to be read, smaller ones from the same position. */
  pages(row: PlatformSyncTable, access: Access): AsyncIterable<Fetched<Params, Facts>>;
  /** Position up to which everything was fetched after the last page. */
  newestOf(row: PlatformSyncTable): string | null;
}
