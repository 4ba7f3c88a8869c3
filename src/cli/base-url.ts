import { AppError } from '../core/app-error.ts';
import { NOT_IN_BASE_URL, partProblem } from '../platforms/outbound/url-parts.ts';

/**
 * Rejects URLs to which paths cannot be appended.
 * @param name flag or variable @throws AppError `usage`
 */
export function assertBaseUrl(name: string, text: string, example: string): void {
  const url = URL.parse(text);
  // The message omits the text, which may contain a password.
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    throw new AppError('usage', `${name} takes an address such as ${example}.`);
  const problem = partProblem(text, NOT_IN_BASE_URL);
  if (problem !== null) throw new AppError('usage', `${name} ${problem}.`);
}
