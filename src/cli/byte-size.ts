import { AppError } from '../core/app-error.ts';

const SIZE = /^(\d+(?:\.\d+)?) ?(B|KB|KiB|MB|MiB|GB|GiB|TB|TiB)?$/i;
const FACTORS: Readonly<Record<string, number>> = {
  b: 1,
  kb: 1e3,
  kib: 1024,
  mb: 1e6,
  mib: 1024 ** 2,
  gb: 1e9,
  gib: 1024 ** 3,
  tb: 1e12,
  tib: 1024 ** 4,
};

/** Parses a size such as `256MiB`, `1.5GB` or `1048576`; `otherwise` if it is not set. @throws AppError `usage` */
export function toByteSize(flag: string, text: string | undefined, otherwise: number): number {
  if (text === undefined || text === '') return otherwise;
  const [, amount, unit = 'B'] = SIZE.exec(text.trim()) ?? [];
  const bytes = Math.round(Number(amount) * (FACTORS[unit.toLowerCase()] ?? Number.NaN));
  if (Number.isSafeInteger(bytes)) return bytes;
  throw new AppError('usage', `${flag} takes a size such as 256MiB or 1GiB, or bytes, not ${JSON.stringify(text)}.`);
}
