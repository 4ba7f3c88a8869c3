/** Licences (SPDX ids) under which code may be part of the executable; `blessing` is that of SQLite. */
const ALLOWED: ReadonlySet<string> = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'Unlicense',
  'blessing',
]);

/** Whether an SPDX expression permits shipping: for `OR` one side suffices, for `AND` both are needed. Nested expressions are rejected. */
export function isAllowedLicense(expression: string): boolean {
  const text = expression.trim().replace(/^\(([^()]*)\)$/, '$1');
  if (/[()]/.test(text)) return false;
  return text.split(/ OR /).some((side) => side.split(/ AND /).every((license) => ALLOWED.has(license.trim())));
}
