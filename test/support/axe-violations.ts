import axe from 'axe-core';
import type { Page } from 'playwright-core';

/** Rules whose result depends on the colour scheme. The others depend on the elements only, which are the same in both. */
export const COLOUR_RULES = ['color-contrast', 'link-in-text-block'] as const;

/** Accessibility violations that axe finds in a page: the rule, and the elements that violate it. All rules by default. */
export async function axeViolations(page: Page, rules?: readonly string[]): Promise<string[]> {
  await page.evaluate(axe.source);
  const options = { resultTypes: ['violations'], ...(rules === undefined ? {} : { runOnly: rules }) };
  const found = (await page.evaluate(`axe.run(document, ${JSON.stringify(options)})`)) as axe.AxeResults;
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}
