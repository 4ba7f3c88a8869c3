import { AppError } from '../../core/app-error.ts';

/** The settings of this process do not allow access to the target. The target itself is not at fault. */
export class TargetNotEnabledError extends AppError {
  constructor(message: string) {
    super('conflict', message);
  }
}
