import { AppError } from '../../core/app-error.ts';
import type { Integration } from '../../core/integration.ts';
import { productOf } from '../../core/integration.ts';
import type { RegistrationTable } from '../../store/integration-tables.ts';

/** Work of a platform that a server repeats: fetching runs, completing them. */
export interface PlatformWork {
  /** Queues what is due by its schedule; absent for work that only webhooks cause. */
  scheduleDue?(): Promise<void>;
  /** @returns the amount of work done */
  runDue(limit: number): Promise<number>;
  /** Unix milliseconds; null if nothing is queued. */
  nextDueAt(): Promise<number | null>;
  /** Stops running work; it continues after the next start. */
  close(): void;
}

export type ScheduledWork = PlatformWork & Required<Pick<PlatformWork, 'scheduleDue'>>;

/** Names the services of one platform and their type. */
export interface PlatformKey<PlatformServicesType> {
  integration: Integration;
  /** Never set; carries the type. */
  services?: PlatformServicesType;
}

/** The opened services of one platform. */
export interface PlatformEntry {
  integration: Integration;
  services: unknown;
  works: readonly PlatformWork[];
  checkConnection(registration: RegistrationTable): Promise<void>;
}

/** The services of all platforms. */
export class PlatformServices {
  readonly #entries: readonly PlatformEntry[];
  /** Ends the requests to platforms. */
  readonly #abort: () => void;

  constructor(entries: readonly PlatformEntry[], abort: () => void) {
    this.#entries = entries;
    this.#abort = abort;
  }

  /** @throws TypeError for a platform that has no services */
  of<Services>(key: PlatformKey<Services>): Services {
    const entry = this.#entries.find(({ integration }) => integration === key.integration);
    if (entry === undefined) throw new TypeError(`${key.integration} has no services.`);
    return entry.services as Services;
  }

  /** @throws AppError `unreachable`, or `conflict` if it is not called, has no credentials, or refuses them */
  async checkConnection(registration: RegistrationTable): Promise<void> {
    const entry = this.#entries.find(({ integration }) => integration === registration.integration);
    if (entry === undefined) throw notCalled(registration);
    await entry.checkConnection(registration);
  }

  get works(): readonly PlatformWork[] {
    return this.#entries.flatMap(({ works }) => works);
  }

  /** Background work that fetches runs, by schedule or on request. */
  get syncs(): readonly ScheduledWork[] {
    return this.works.filter((work): work is ScheduledWork => work.scheduleDue !== undefined);
  }

  /** Stops all works first: they share the connections, and an aborted sync run must know that it was stopped. */
  close(): void {
    for (const work of this.works) work.close();
    this.#abort();
  }
}

/** For a kind of registration that only sends. */
export function notCalled({ integration, kind }: Pick<RegistrationTable, 'integration' | 'kind'>): AppError {
  return new AppError(
    'conflict',
    `This server never calls ${productOf(integration as Integration)} for this kind of registration: ${kind}.`,
  );
}
