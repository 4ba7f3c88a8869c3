import { AppError } from '../../core/app-error.ts';

/** This process may not access the target: its settings are the reason, not the target. */
export class TargetNotEnabledError extends AppError {
  constructor(message: string) {
    super('conflict', message);
  }
}
