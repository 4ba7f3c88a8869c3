import { Link } from '../../address/link.tsx';
import { addressOf } from '../../address/router.ts';
import { count, percent } from '../../parts/amounts.ts';
import type { Column } from '../../parts/data-table.tsx';
import type { DetectorRow } from './detector-row.ts';
import { DetectorSwitch, PreviewState } from './detector-switch.tsx';
import style from './detectors-view.module.css';
import { FeedbackPrecision, Precision, Recall, Unknown } from './measured.tsx';
import { thresholdsText } from './threshold-groups.ts';

/** Days over which detections are counted. */
export const DETECTION_DAYS = 30;

/** Columns without information are omitted: a tier that all detectors share, and feedback that nobody gave. */
export function columnsOf(rows: readonly DetectorRow[]): Column<DetectorRow>[] {
  const hasTiers = new Set(rows.map(({ tier }) => tier)).size > 1;
  const hasFeedback = rows.some(({ feedback }) => feedback !== undefined && feedback.precision !== null);
  return [
    {
      title: 'Detector',
      cell: ({ detector, title }) => <Link to={addressOf('detectors', { detector })}>{title}</Link>,
    },
    {
      title: 'On',
      cell: (row) => (
        <>
          <DetectorSwitch row={row} />
          <PreviewState row={row} />
        </>
      ),
    },
    ...(hasTiers ? [{ title: 'Tier', cell: ({ tier }: DetectorRow) => tier }] : []),
    { title: 'Subtypes reported', cell: (row) => <Subtypes row={row} />, isDetail: true },
    {
      title: `Detections, ${DETECTION_DAYS} days`,
      cell: ({ detections }) => (detections === undefined ? '' : count(detections)),
      isNumber: true,
    },
    { title: 'Healthy runs flagged', cell: ({ measured }) => <FlagRate rate={measured?.healthy_flag_rate ?? null} /> },
    { title: 'Recall', cell: ({ measured }) => <Recall figures={measured} /> },
    { title: 'Precision', cell: ({ measured }) => <Precision figures={measured} />, isDetail: true },
    ...(hasFeedback
      ? [
          {
            title: 'Precision by your feedback',
            cell: ({ feedback }: DetectorRow) => <FeedbackPrecision feedback={feedback} />,
          },
        ]
      : []),
    {
      title: 'Threshold',
      cell: (row) => (
        <>
          {thresholdsText(row)}
          {row.recommendations.some(({ apply }) => apply !== null) && (
            <span class={style.advice}>change recommended</span>
          )}
        </>
      ),
      isNumber: true,
      isDetail: true,
    },
  ];
}

/** `14 of 18`, and how many subtypes have each maturity. */
function Subtypes({ row: { subtypes } }: { row: DetectorRow }) {
  const reported = subtypes.filter((subtype) => subtype.reported).length;
  const ofMaturity = (name: string) => subtypes.filter(({ maturity }) => maturity === name).length;
  const parts = [
    ['fact', ofMaturity('fact')] as const,
    ['measured', ofMaturity('measured')] as const,
    ['preview', ofMaturity('preview')] as const,
  ].filter(([, amount]) => amount > 0);
  return (
    <>
      {reported} of {subtypes.length}
      <span class={style.second}>
        {parts.map(([name, amount]) => `${amount} ${name}${name !== 'measured' && amount > 1 ? 's' : ''}`).join(', ')}
      </span>
    </>
  );
}

function FlagRate({ rate }: { rate: NonNullable<DetectorRow['measured']>['healthy_flag_rate'] }) {
  if (rate === null) return <Unknown text="no such runs" />;
  return (
    <>
      {percent(rate.rate, 1)}
      <span class={style.second}>
        {count(rate.flagged_count)} of {rate.is_sample_count_minimum && 'at least '}
        {count(rate.sample_count)}
      </span>
    </>
  );
}
