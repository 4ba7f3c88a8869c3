import type { CalibrationService } from '../features/calibration/calibration.service.ts';

export interface CalibrationSchedule {
  /** Ends after the tenant under way. */
  stop(): Promise<void>;
}

export interface CalibrationScheduleOptions {
  calibration: Pick<CalibrationService, 'runDue'>;
  onError(error: unknown): void;
  /** Pause between two looks for due work. */
  everyMs?: number;
}

const EVERY_MS = 15_000;

/** Looks now and then for tenants whose traffic has changed, one tenant at a time; nobody waits for it. */
export function startCalibrationSchedule({
  calibration,
  onError,
  everyMs = EVERY_MS,
}: CalibrationScheduleOptions): CalibrationSchedule {
  let isStopped = false;
  let running: Promise<void> = Promise.resolve();
  let isRunning = false;

  async function runAllDue(): Promise<void> {
    isRunning = true;
    try {
      while (!isStopped && (await calibration.runDue(1)) > 0);
    } catch (error) {
      onError(error);
    } finally {
      isRunning = false;
    }
  }

  const timer = setInterval(() => {
    if (!isRunning) running = runAllDue();
  }, everyMs);
  timer.unref();

  return {
    async stop() {
      isStopped = true;
      clearInterval(timer);
      await running;
    },
  };
}
