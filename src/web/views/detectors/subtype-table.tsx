import type { DiagnosticsDetectorStatusOutput, FiringThresholds } from '../../../client/misstep-client.generated.ts';
import { hasScope } from '../../data/session.ts';
import { count, percent, pluralize } from '../../parts/amounts.ts';
import { Button } from '../../parts/button.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import type { DetectorRow } from './detector-row.ts';
import style from './detectors-view.module.css';
import { Measured, Unknown } from './measured.tsx';
import { saveThreshold } from './save-threshold.ts';
import { isOff, overrideText, thresholdText } from './subtype-threshold.ts';

type Subtype = DiagnosticsDetectorStatusOutput['items'][number]['subtypes'][number];

/** The subtypes of a detector, with their maturity and their figures on left-out runs. */
export function SubtypeTable({ row, subtypes }: { row: DetectorRow; subtypes: readonly Subtype[] }) {
  return (
    <section class={style.subtypes} aria-labelledby="subtypes">
      <h2 id="subtypes">Subtypes</h2>
      <p>
        The figures are counted on runs of other sources than those that the rule was chosen on, without labels: a run
        failed or succeeded. Precision is the share of failing or attacked runs among the runs with the detection.
        Maturity: a fact can be read in the trace, a measured subtype reached the required precision on runs of other
        sources, a preview did not yet.
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

function columnsOf({ detector, subtypes, threshold }: DetectorRow): Column<Subtype>[] {
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
      cell: ({ subtype }) => {
        const isReported = subtypes.find((own) => own.subtype === subtype)?.reported === true;
        return isReported && !isOff(threshold?.subtypes[subtype]?.effective ?? 0) ? 'yes' : 'no';
      },
    },
    {
      title: 'Threshold',
      cell: ({ subtype }) => (
        <SubtypeThreshold detector={detector} subtype={subtype} thresholds={threshold?.subtypes[subtype]} />
      ),
      isNumber: true,
    },
    { title: 'Healthy runs with it', cell: ({ left_out_healthy }) => <FiredShare share={left_out_healthy} /> },
    { title: 'Failing runs with it', cell: ({ left_out_failing }) => <FiredShare share={left_out_failing} /> },
    { title: 'Precision', cell: (subtype) => <OutcomePrecision subtype={subtype} /> },
  ];
}

interface SubtypeThresholdProps {
  detector: string;
  subtype: string;
  thresholds: FiringThresholds | undefined;
}

/** The effective threshold. One that was set for the subtype can be removed. */
function SubtypeThreshold({ detector, subtype, thresholds }: SubtypeThresholdProps) {
  if (thresholds === undefined) return null;
  const { effective, override } = thresholds;
  const text = overrideText(thresholds);
  const name = subtype.replaceAll('_', ' ');
  const remove = () => void saveThreshold({ key: `${detector}/${subtype}`, name, previous: override }, null);
  return (
    <>
      {thresholdText(effective)}
      {text !== null && <span class={style.second}>{text}</span>}
      {override !== null && hasScope('write') && (
        <Button variant="plain" label={`Remove the threshold of ${name}`} onClick={remove}>
          Remove
        </Button>
      )}
    </>
  );
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
