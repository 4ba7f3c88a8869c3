import type { Calibration } from '../_kit/calibration.ts';
import file from './calibration.generated.json' with { type: 'json' };

/** What labelled texts and runs taught about the scores of this detector. */
export const injectionCalibration = file as unknown as Calibration;
