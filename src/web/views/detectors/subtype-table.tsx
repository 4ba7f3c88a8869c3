import type { DiagnosticsDetectorStatusOutput, FiringThresholds } from '../../../client/misstep-client.generated.ts';
import { hasScope } from '../../data/session.ts';
import { Button } from '../../parts/button.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import type { DetectorRow } from './detector-row.ts';
import style from './detectors-view.module.css';
import { Measured, Unknown } from './measured.tsx';
import { saveThreshold } from './save-threshold.ts';
import { failingShare, foundShare } from './subtype-figures.ts';
import { isOff, overrideText, thresholdText } from './subtype-threshold.ts';

type Subtype = DiagnosticsDetectorStatusOutput['items'][number]['subtypes'][number];

/** The subtypes of a detector, with their maturity and their figures on left-out runs. */
export function SubtypeTable({ row, subtypes }: { row: DetectorRow; subtypes: readonly Subtype[] }) {
  return (
    <section class={style.subtypes} aria-labelledby="subtypes">
      <h2 id="subtypes">Subtypes</h2>
      <p>
        The figures are counted on runs of other sources than those that the rule was chosen on, without labels: a run
        failed or succeeded. “Share of failing runs” is the share of failing or attacked runs among the runs with the
        detection; it has no percentage if fewer than 5 runs have it, or if no healthy run could have it. Maturity: a
        fact can be read in the trace, a measured subtype reached the required precision on runs of other sources, a
        preview did not yet.
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
    { title: 'Share of failing runs', cell: (subtype) => <FailingShare subtype={subtype} /> },
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

function FailingShare({ subtype }: { subtype: Subtype }) {
  const { value, counted, isMissing } = failingShare(subtype);
  if (isMissing) return <Unknown text={counted} />;
  if (value === null) return <>{counted}</>;
  return (
    <Measured
      name="Share of failing runs"
      value={value}
      interval={subtype.outcome_precision_interval}
      counted={counted}
    />
  );
}

function FiredShare({ share }: { share: Subtype['left_out_healthy'] }) {
  const { rate, counted, isMissing } = foundShare(share);
  if (isMissing) return <Unknown text={counted} />;
  if (rate === null) return <>{counted}</>;
  return (
    <>
      {rate}
      <span class={style.second}>{counted}</span>
    </>
  );
}
