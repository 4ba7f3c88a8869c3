import { Link } from '../../address/link.tsx';
import { addressOf, currentRoute, navigate } from '../../address/router.ts';
import { useOverview } from '../../data/overview.ts';
import { EmptyNotice } from '../../parts/notice.tsx';
import { PageHeading } from '../../parts/page-heading.tsx';
import style from './analytics-view.module.css';
import { CostAnalytics } from './cost-analytics.tsx';
import { LoopAnalytics } from './loop-analytics.tsx';
import { QualityAnalytics } from './quality-analytics.tsx';

const PAGES = [
  { what: 'cost', label: 'Cost', Page: CostAnalytics },
  { what: 'quality', label: 'Quality', Page: QualityAnalytics },
  { what: 'loops', label: 'Loops', Page: LoopAnalytics },
] as const;

const DAYS = [7, 30, 90, 365];
const DEFAULT_DAYS = 30;

/** Figures over time: cost, quality and loops. */
export function AnalyticsView() {
  const requestedDays = currentRoute.value?.query.days;
  const page = PAGES.find(({ what }) => what === currentRoute.value?.params.what) ?? PAGES[0];
  const days = daysOf(requestedDays);
  const hasTraces = useOverview()?.traces.has_any !== false;
  return (
    <div class={style.view}>
      <PageHeading title={`Analytics: ${page.label}`}>
        <label class={style.days}>
          Days
          <select
            value={String(days)}
            onChange={({ currentTarget }) =>
              navigate(addressOf('analytics', { what: page.what }, { days: currentTarget.value }))
            }
          >
            {[...new Set([...DAYS, days])]
              .sort((a, b) => a - b)
              .map((option) => (
                <option key={option} value={String(option)}>
                  {option}
                </option>
              ))}
          </select>
        </label>
      </PageHeading>
      <nav aria-label="Figures">
        <ul class={style.pages}>
          {PAGES.map(({ what, label }) => (
            <li key={what}>
              <Link
                to={addressOf('analytics', { what }, requestedDays === undefined ? {} : { days: requestedDays })}
                {...(what === page.what ? { 'aria-current': 'page' as const } : {})}
              >
                {label}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      {hasTraces ? <page.Page days={days} /> : <NoFigures />}
    </div>
  );
}

function NoFigures() {
  return (
    <EmptyNotice title="No trace has arrived">
      <p>
        Cost, quality and loops of runs are shown here by day. <Link to={addressOf('start')}>Set up a program</Link> to
        send its traces.
      </p>
    </EmptyNotice>
  );
}

/** The number of days from the address, or the default if it is not valid. */
function daysOf(text: string | undefined): number {
  const days = Number(text);
  return Number.isInteger(days) && days >= 1 && days <= 365 ? days : DEFAULT_DAYS;
}
