import type { AlertService } from '../features/alerts/alert.service.ts';
import { type AnalysisLoop, startAnalysisLoop } from './analysis-loop.ts';

export interface AlertSenderOptions {
  alerts: Pick<AlertService, 'runDue' | 'nextDueAt'>;
  now(): number;
  onError(error: unknown): void;
}

/** Decides about new detections and sends alerts, on the same beat as the analysis: work, then sleep until the next is due. */
export function startAlertSender({ alerts, now, onError }: AlertSenderOptions): AnalysisLoop {
  return startAnalysisLoop({ analysis: alerts, now, onError });
}
