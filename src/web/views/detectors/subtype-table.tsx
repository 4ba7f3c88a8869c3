import type { DiagnosticsDetectorStatusOutput } from '../../../client/misstep-client.generated.ts';
import { count, percent, pluralize } from '../../parts/amounts.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import type { DetectorRow } from './detector-row.ts';
import style from './detectors-view.module.css';
import { Measured, Unknown } from './measured.tsx';

type Subtype = DiagnosticsDetectorStatusOutput['items'][number]['subtypes'][number];

/** The subtypes of a detector, with their maturity and their figures on left-out runs. */
export function SubtypeTable({ row, subtypes }: { row: DetectorRow; subtypes: readonly Subtype[] }) {
  return (
    <section class={style.subtypes} aria-labelledby="subtypes">
      <h2 id="subtypes">Subtypes</h2>
      <p>
        The figures are counted on runs of other sources than those that the rule was chosen on, without labels: a run
        failed or succeeded. Precision is the share of failing or attacked runs among the runs with the detection.
      </p>
      <DataTable
        label="Figures of the subtypes"
        columns={columnsOf(row)}
        rows={subtypes}
        keyOf={({ subtype }) => subtype}
      />
    </section>
  );
}

function columnsOf({ subtypes, threshold }: DetectorRow): Column<Subtype>[] {
  return [
    {
      title: 'Subtype',
      cell: (subtype) => (
        <>
          {subtype.title}
          <span class={style.second}>
            <code>{subtype.subtype}</code> · {sourceText(subtype)}
          </span>
        </>
      ),
    },
    { title: 'Maturity', cell: ({ maturity }) => maturity },
    {
      title: 'Reported',
      cell: ({ subtype }) => (subtypes.find((own) => own.subtype === subtype)?.reported ? 'yes' : 'no'),
    },
    {
      title: 'Threshold',
      cell: ({ subtype }) => threshold?.subtypes[subtype]?.effective.toFixed(2) ?? '',
      isNumber: true,
    },
    { title: 'Healthy runs with it', cell: ({ left_out_healthy }) => <FiredShare share={left_out_healthy} /> },
    { title: 'Failing runs with it', cell: ({ left_out_failing }) => <FiredShare share={left_out_failing} /> },
    { title: 'Precision', cell: (subtype) => <OutcomePrecision subtype={subtype} /> },
  ];
}

/** Why it has its maturity, and the sources that its rule was chosen on. */
function sourceText({ fact_because, not_measured_because, rule_chosen_on }: Subtype): string {
  const reason = fact_because ?? (not_measured_because === null ? null : `preview: ${not_measured_because}`);
  const chosenOn =
    rule_chosen_on !== null && rule_chosen_on.length > 0 ? `rule chosen on ${rule_chosen_on.join(', ')}` : null;
  return [reason?.replace(/\.$/, ''), chosenOn].filter(Boolean).join(' · ');
}

function OutcomePrecision({ subtype }: { subtype: Subtype }) {
  const { outcome_precision, outcome_precision_interval, left_out_healthy, left_out_failing } = subtype;
  const failing = left_out_failing?.fired ?? 0;
  const fired = failing + (left_out_healthy?.fired ?? 0);
  if (outcome_precision === null)
    return <Unknown text={left_out_failing === null && left_out_healthy === null ? 'not measured' : 'in no run'} />;
  return (
    <Measured
      name="Precision"
      value={outcome_precision}
      interval={outcome_precision_interval}
      counted={`${count(failing)} of ${pluralize(fired, 'run')}`}
    />
  );
}

function FiredShare({ share }: { share: Subtype['left_out_healthy'] }) {
  if (share === null || share.could_fire === 0) return <Unknown text="no such runs" />;
  return (
    <>
      {percent(share.fired / share.could_fire, 1)}
      <span class={style.second}>
        {count(share.fired)} of {count(share.could_fire)}
      </span>
    </>
  );
}
