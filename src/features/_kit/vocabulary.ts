import { z } from 'zod';
import { ALERT_CHANNELS } from '../../core/alert.ts';
import { DETECTION_TYPES } from '../../core/detection.ts';
import { SEVERITIES } from '../../core/severity.ts';
import { SESSION_ENDS } from '../../core/trace.ts';

/** Schemas that many records share; `id` is their name in the API description and in the client. */
export const severity = z.enum(SEVERITIES).meta({ id: 'Severity' });
export const detectionType = z.enum(DETECTION_TYPES).meta({ id: 'DetectionType' });
export const alertChannel = z.enum(ALERT_CHANNELS).meta({ id: 'AlertChannel' });
export const detectorTier = z.enum(['production', 'beta', 'experimental']).meta({ id: 'DetectorTier' });
export const traceStatus = z.enum(['running', 'ok', 'error']).meta({ id: 'TraceStatus' });
/** How a session of a coding agent ended. */
export const sessionEnd = z.enum(SESSION_ENDS).meta({ id: 'SessionEnd' });
export const grade = z.enum(['A', 'B', 'C', 'D', 'F']).meta({ id: 'Grade' });
export const interval = z
  .tuple([z.number(), z.number()])
  .meta({ id: 'Interval', description: 'Lowest and highest likely value: 95 %, Wilson' });

/** An invalid field, with the reason. */
export const fieldError = z
  .object({
    pointer: z.string().describe('RFC 6901 into the body, or `?name` for a query parameter'),
    message: z.string(),
  })
  .meta({ id: 'FieldError' });
