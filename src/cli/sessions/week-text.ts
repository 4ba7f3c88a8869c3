import type { SessionWeek } from '../../features/coding-sessions/week.record.ts';
import { printableLine } from '../views/printable.ts';
import type { Style } from '../views/style.ts';
import { indent, wrap } from '../views/wrap.ts';
import { hasNothing, weekHead, weekSections } from './week-sections.ts';

export function weekText(week: SessionWeek, { style, width }: { style: Style; width: number }): string {
  const [first, ...rest] = weekHead(week).map(printableLine);
  const sections = weekSections(week).flatMap(({ title, items }) => [
    '',
    style.bold(title),
    ...items.map((item) => indent(wrap(printableLine(item), width - 4), '  ', '    ')),
  ]);
  const nothing = hasNothing(week) ? ['', 'No corrections, detours or failing tests found.'] : [];
  const prices = week.cost_usd === null ? [] : ['', style.dim(`Prices of ${week.prices_as_of}.`)];
  return `${[style.bold(first ?? ''), ...rest, ...sections, ...nothing, ...prices].join('\n')}\n`;
}

export function weekMarkdown(week: SessionWeek): string {
  const [first, ...rest] = weekHead(week).map(escaped);
  const sections = weekSections(week).flatMap(({ title, items }) => [
    '',
    `## ${title}`,
    '',
    ...items.map((item) => `- ${escaped(item)}`),
  ]);
  const nothing = hasNothing(week) ? ['', 'No corrections, detours or failing tests found.'] : [];
  return `${[`# Coding sessions, ${first}`, '', ...rest.map((line) => `- ${line}`), ...sections, ...nothing, '', `Prices of ${week.prices_as_of}.`].join('\n')}\n`;
}

/** Text of a session must not become markup. */
function escaped(text: string): string {
  return printableLine(text).replace(/[\\`*_[\]<>|#]/g, '\\$&');
}
