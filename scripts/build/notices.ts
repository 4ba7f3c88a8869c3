import type { LicenseNotice } from '../../src/app/license-notices.ts';
import type { Component } from './components.ts';

/** The output of `misstep licenses`: Misstep first, then every component. @param text licence of the project */
export function toNotices(misstepVersion: string, text: string, components: readonly Component[]): LicenseNotice[] {
  const own = { name: 'misstep', version: misstepVersion, license: 'MIT', text: text.trim() };
  return [own, ...components.map(({ name, version, license, text }) => ({ name, version, license, text }))];
}
