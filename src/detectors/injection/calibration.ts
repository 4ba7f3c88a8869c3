import type { Calibration } from '../_kit/calibration.ts';
import file from './calibration.generated.json' with { type: 'json' };

/** Calibration of this detector's scores, from labelled texts and runs. */
export const injectionCalibration = file as unknown as Calibration;
