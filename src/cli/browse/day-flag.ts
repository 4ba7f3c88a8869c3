import { InvalidArgumentError } from 'commander';

/** Value of `--days`. */
export function toDays(text: string): number {
  const days = Number(text);
  if (text.trim() !== '' && Number.isInteger(days) && days >= 1 && days <= 365) return days;
  throw new InvalidArgumentError('Give a number from 1 to 365.');
}
