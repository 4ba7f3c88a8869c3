import { AppError } from '../../core/app-error.ts';
import type { Caller } from './caller.ts';

/** The tenant for operations whose path names none. @throws AppError `forbidden` for the operator, who has none */
export function tenantOfCaller({ tenantId }: Caller): string {
  if (tenantId !== null) return tenantId;
  throw new AppError('forbidden', 'The operator credential has no tenant; use an API key.');
}
