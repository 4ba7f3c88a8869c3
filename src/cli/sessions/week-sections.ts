import { shorten } from '../../features/coding-sessions/shorten.ts';
import type { SessionWeek } from '../../features/coding-sessions/week.record.ts';
import { counted } from '../views/amounts.ts';
import { endLabel, money, projectName, projectText } from './session-labels.ts';

/** Content of a weekly summary, independent of its rendering. */
export interface WeekSection {
  title: string;
  /** One entry per line. */
  items: string[];
}

const SHOWN = 8;
const QUOTED_CHARACTERS = 140;
const SHOWN_BRANCHES = 3;

export function weekHead(week: SessionWeek): string[] {
  const ends = Object.entries(week.ended_by).filter(([, number]) => number > 0);
  const bound = week.partial_usage_calls > 0 || week.unpriced_models.length > 0 ? '≥ ' : '';
  const cost = week.cost_usd === null ? 'cost unknown' : `${bound}${money(week.cost_usd)}`;
  return [
    `${dateOf(week.from)} to ${dateOf(week.to)}: ${counted(week.session_count, 'session')}, ${cost}`,
    `${counted(week.refusals, 'refused call')}, ${counted(week.interrupts, 'interrupt')}, ${counted(week.failures, 'failed call')}, ${counted(week.compactions, 'compaction')}`,
    ...(ends.length === 0
      ? []
      : [`ended: ${ends.map(([end, number]) => `${number} ${endLabel(end as 'completed')}`).join(', ')}`]),
    ...(week.unpriced_models.length === 0 ? [] : [`price unknown: ${week.unpriced_models.join(', ')}`]),
    ...(week.incomplete_count === 0 ? [] : [`${counted(week.incomplete_count, 'session')} could not be read in full`]),
  ];
}

export function weekSections(week: SessionWeek): WeekSection[] {
  const sections: WeekSection[] = [
    {
      title: 'Projects',
      items: week.projects.map(({ project, session_count, cost_usd, refusals, failures, branches }) => {
        const facts = [
          counted(session_count, 'session'),
          ...(cost_usd === null ? [] : [money(cost_usd)]),
          ...(refusals > 0 ? [`${refusals} refused`] : []),
          ...(failures > 0 ? [`${failures} failed`] : []),
        ];
        const named = branches
          .slice(0, SHOWN_BRANCHES)
          .map(({ branch, cost_usd: cost }) => (cost === null ? branch : `${branch} ${money(cost)}`));
        return `${projectText(project)}: ${facts.join(', ')}${named.length > 0 ? ` (${named.join(', ')})` : ''}`;
      }),
    },
    {
      title: 'Days',
      items: week.days
        .toReversed()
        .map(({ date, session_count, cost_usd }) =>
          [date, counted(session_count, 'session'), ...(cost_usd === null ? [] : [money(cost_usd)])].join(', '),
        ),
    },
    {
      title: 'Repeated corrections',
      items: week.corrections
        .filter(({ times }) => times > 1)
        .map(
          ({ project, text, times, sessions }) =>
            `${projectName(project)}: “${shorten(text, QUOTED_CHARACTERS)}” (${times} times in ${counted(sessions.length, 'session')})`,
        ),
    },
    {
      title: 'Most expensive detours',
      items: week.detours.map(
        ({ project, session_id, text, cost_usd }) =>
          `${cost_usd > 0 ? money(cost_usd) : '–'} ${text} (${projectName(project)}, session ${session_id.slice(0, 13)})`,
      ),
    },
    {
      title: 'Tests that keep failing',
      items: week.failing_tests.map(
        ({ project, name, runs, sessions, solved }) =>
          `${name}: failed in ${counted(runs, 'run')} of ${counted(sessions.length, 'session')}${solved ? ', then passed' : ', not solved'} (${projectName(project)})`,
      ),
    },
    {
      title: 'Instructions lost after compaction',
      items: week.lost_instructions.map(
        ({ text, before, session_id }) =>
          `“${shorten(text, QUOTED_CHARACTERS)}” was said before the compaction as “${shorten(before, QUOTED_CHARACTERS)}” (session ${session_id.slice(0, 13)})`,
      ),
    },
    {
      title: 'Lines to add (shown, not applied)',
      items: week.proposals.map(
        ({ project, file, line, because }) =>
          `${projectText(project)}/${file}: ${line.replace(/^- /, '')} (${because})`,
      ),
    },
  ];
  return sections
    .filter(({ items }) => items.length > 0)
    .map(({ title, items }) => {
      const rest = items.length - SHOWN;
      return { title, items: rest > 0 ? [...items.slice(0, SHOWN), `… and ${rest} more; --json has all`] : items };
    });
}

export function hasNothing(week: SessionWeek): boolean {
  const { corrections, detours, failing_tests, lost_instructions } = week;
  return corrections.length + detours.length + failing_tests.length + lost_instructions.length === 0;
}

function dateOf(rfc3339: string): string {
  return rfc3339.slice(0, 10);
}
