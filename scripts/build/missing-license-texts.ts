/** The copyright line of packages under the MIT licence whose archive has no licence file, from their repositories. */
const COPYRIGHT_LINES: Readonly<Record<string, string>> = {
  'koa-compose': 'Copyright (c) 2013 TJ Holowaychuk tj@apex.sh',
  standardwebhooks: 'Copyright (c) 2023 Svix (https://www.svix.com)',
};

/**
 * The licence text of a package without a licence file; empty if unknown.
 * @param mitText a text of the MIT licence, with any copyright line
 */
export function missingLicenseText(name: string, mitText: string): string {
  const line = COPYRIGHT_LINES[name];
  return line === undefined ? '' : mitText.replace(/^Copyright.*$/m, line);
}
