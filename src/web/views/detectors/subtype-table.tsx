import type { DiagnosticsDetectorStatusOutput } from '../../../client/misstep-client.generated.ts';
import { count, percent } from '../../parts/amounts.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { Measured, Unknown } from './measured.tsx';

type Subtype = DiagnosticsDetectorStatusOutput['items'][number]['subtypes'][number];

/** The subtypes of a detector, with their maturity and their figures on held-out runs. */
export function SubtypeTable({ subtypes }: { subtypes: readonly Subtype[] }) {
  return (
    <>
      <h3>Subtypes</h3>
      <p>
        The figures are measured on sources that were held out when the rule was chosen. Precision is the share of
        failing or attacked runs among the runs with the detection.
      </p>
      <DataTable label="Subtypes" columns={COLUMNS} rows={subtypes} keyOf={({ subtype }) => subtype} />
    </>
  );
}

const COLUMNS: Column<Subtype>[] = [
  { title: 'Subtype', cell: ({ subtype }) => subtype },
  {
    title: 'Maturity',
    cell: ({ maturity, not_measured_because }) =>
      not_measured_because === null ? maturity : `${maturity}: ${not_measured_because}`,
  },
  {
    title: 'Precision',
    cell: ({ outcome_precision, outcome_precision_interval, left_out_healthy, left_out_failing }) => (
      <Measured
        name="Precision"
        value={outcome_precision}
        interval={outcome_precision_interval}
        samples={(left_out_healthy?.fired ?? 0) + (left_out_failing?.fired ?? 0)}
      />
    ),
  },
  {
    title: 'Healthy runs with it',
    cell: ({ left_out_healthy }) => <FiredShare share={left_out_healthy} />,
    isNumber: true,
  },
  {
    title: 'Failing runs with it',
    cell: ({ left_out_failing }) => <FiredShare share={left_out_failing} />,
    isNumber: true,
  },
  {
    title: 'Rule chosen on',
    cell: ({ rule_chosen_on }) =>
      rule_chosen_on === null ? <Unknown text="not recorded" /> : rule_chosen_on.join(', ') || 'no run source',
  },
];

function FiredShare({ share }: { share: Subtype['left_out_healthy'] }) {
  if (share === null || share.could_fire === 0) return <Unknown text="no such runs" />;
  return (
    <>
      {count(share.fired)} of {count(share.could_fire)} ({percent(share.fired / share.could_fire)})
    </>
  );
}
