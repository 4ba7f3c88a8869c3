import type { LicenseNotice } from '../../src/app/license-notices.ts';
import type { Component } from './components.ts';

/** What `misstep licenses` shows: Misstep first, then every component. @param text the project's own licence */
export function toNotices(misstepVersion: string, text: string, components: readonly Component[]): LicenseNotice[] {
  const own = { name: 'misstep', version: misstepVersion, license: 'MIT', text: text.trim() };
  return [own, ...components.map(({ name, version, license, text }) => ({ name, version, license, text }))];
}
