import type { Integration } from '../../core/integration.ts';
import type { PlatformSyncTable, RegistrationTable } from '../../store/integration-tables.ts';
import type { BodyDecoder } from '../ingest/prepare.ts';
import type { RunNotice } from './run-notice.ts';

/** An answer of a platform as it came. */
export interface Fetched<Params, Facts> {
  body: Buffer;
  params: Params;
  /** What the sync's row says once the answer is stored. `page_cursor` null: it was the last page. */
  valuesOf(facts: Facts): Partial<PlatformSyncTable>;
}

/** What an answer of a platform says beside spans. */
export interface SyncFacts {
  /** A run that is known better keeps what it has. */
  isSummary: boolean;
  runs: RunNotice[];
  /** Records that the pass wants. */
  wanted: number;
  /** Of those, the ones that cannot be read. */
  refused: number;
}

/** What is special about the runs of one platform. */
export interface SyncSource<Access, Params, Facts extends SyncFacts> {
  integration: Integration;
  /** Name of the kind of registration whose runs are fetched. */
  kind: string;
  /** What a full pass forgets of the last one. */
  forgotten: Partial<PlatformSyncTable>;
  /** Reads the answers, off the event loop where they are large. */
  decoder: BodyDecoder<Params, Facts>;
  /** @throws AppError `conflict` where it cannot be called */
  accessOf(registration: RegistrationTable): Promise<Access>;
  /** Whose schedule it goes by; null: nobody's. */
  instanceOf(registration: RegistrationTable): Promise<RegistrationTable | null>;
  /** Runs that an earlier pass left open, asked for one by one when a pass begins. */
  reopened?(row: PlatformSyncTable, access: Access): AsyncIterable<Fetched<Params, Facts>>;
  /** The page where the pass stands; then, for as long as they are too large to be read, smaller ones from there. */
  pages(row: PlatformSyncTable, access: Access): AsyncIterable<Fetched<Params, Facts>>;
  /** How far everything was fetched when the last page is in. */
  newestOf(row: PlatformSyncTable): string | null;
}
