import { readFileSync } from 'node:fs';
import { VERSION } from '../core/version.ts';
import { isExecutable, loadAsset } from './runtime-assets.ts';

/** The licence of Misstep or of a third-party component in the executable. */
export interface LicenseNotice {
  name: string;
  version: string;
  /** SPDX expression. */
  license: string;
  text: string;
}

/** Misstep first. The build collects the other notices, so running from sources returns only Misstep's own. */
export function readLicenseNotices(): LicenseNotice[] {
  if (isExecutable()) return JSON.parse(loadAsset('licenses.json').toString()) as LicenseNotice[];
  const text = readFileSync(new URL('../../LICENSE', import.meta.url), 'utf8');
  return [{ name: 'misstep', version: VERSION, license: 'MIT', text: text.trim() }];
}
