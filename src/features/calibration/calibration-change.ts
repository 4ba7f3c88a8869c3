import { z } from 'zod';
import type { CalibrationSettings } from './calibration-state.ts';

/** What a client may change; a field that is left out stays. */
export const calibrationChange = z.strictObject({
  enabled: z.boolean().optional(),
  target_alert_rate: z.number().min(0.001).max(0.5).optional(),
});

export function toSettings(change: z.output<typeof calibrationChange>): Partial<CalibrationSettings> {
  const { enabled, target_alert_rate } = change;
  return {
    ...(enabled === undefined ? {} : { enabled }),
    ...(target_alert_rate === undefined ? {} : { targetAlertRate: target_alert_rate }),
  };
}
