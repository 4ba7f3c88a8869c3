import type { Logger } from 'pino';
import type { App } from '../../app/open-app.ts';

/** Releases work of processes that have ended, and work that a step of the system clock would delay. @returns how many jobs */
export async function reclaimWork({ services }: App, logger: Logger): Promise<number> {
  const interrupted = await services.healing.settleInterrupted();
  if (interrupted > 0)
    logger.warn({ operations: interrupted }, 'healing operations were interrupted: check their outcome');
  const shifted = await services.clockWatch.tick();
  if (shifted > 0) logger.warn({ shifted }, 'the system clock stepped backwards: pending work keeps its delays');
  const released = await services.leases.tick();
  if (released > 0) logger.info({ released }, 'released the leases of a process that has ended');
  return shifted + released;
}
