import type { CalibrationService } from '../features/calibration/calibration.service.ts';

export interface CalibrationSchedule {
  /** Stops after the current tenant. */
  stop(): Promise<void>;
}

export interface CalibrationScheduleOptions {
  calibration: Pick<CalibrationService, 'runDue'>;
  onError(error: unknown): void;
  /** Pause between two polls for due work. */
  everyMs?: number;
}

const EVERY_MS = 15_000;

/** Polls for tenants whose traffic has changed, one tenant at a time, in the background. */
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
