import { type LicenseNotice, readLicenseNotices } from '../../app/license-notices.ts';
import { isExecutable } from '../../app/runtime-assets.ts';
import type { CommandContext } from '../context.ts';

const RULE = '-'.repeat(80);

/** Prints the licences; works without a store or a server. */
export function printLicenses({ options, print }: CommandContext): void {
  const notices = readLicenseNotices();
  if (options.isJson) print.json(notices);
  else print.data(toText(notices));
  if (!isExecutable()) print.note('misstep: only the built executable lists third-party licences: npm run build');
}

function toText(notices: readonly LicenseNotice[]): string {
  const title = ({ name, version, license }: LicenseNotice) => `${name} ${version} (${license})`;
  const texts = notices.map((notice) => `${RULE}\n${title(notice)}\n\n${notice.text}\n`);
  return `${notices.map(title).join('\n')}\n\n${texts.join('\n')}`;
}
