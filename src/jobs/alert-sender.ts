import type { AlertService } from '../features/alerts/alert.service.ts';
import { startWorkLoop, type WorkLoop } from './work-loop.ts';

export interface AlertSenderOptions {
  alerts: Pick<AlertService, 'runDue' | 'nextDueAt'>;
  now(): number;
  onError(error: unknown): void;
}

/** Decides about new detections and sends alerts. */
export function startAlertSender({ alerts, now, onError }: AlertSenderOptions): WorkLoop {
  return startWorkLoop({ work: alerts, now, onError });
}
