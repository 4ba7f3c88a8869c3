import { AppError } from '../core/app-error.ts';

/**
 * Paths are added to a base address, so it has no query and no fragment; it is shown in messages, so it has no password.
 * @param name flag or variable @throws AppError `usage`
 */
export function refuseBaseUrl(name: string, text: string, example: string): void {
  const url = URL.parse(text);
  // The text may hold a password and is not repeated.
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    throw new AppError('usage', `${name} takes an address such as ${example}.`);
  if (url.username !== '' || url.password !== '')
    throw new AppError('usage', `${name} takes no user name and no password.`);
  if (text.includes('?') || text.includes('#')) throw new AppError('usage', `${name} takes no query and no fragment.`);
}
