import { useSignal } from '@preact/signals';
import { Link } from '../../address/link.tsx';
import { addressOf } from '../../address/router.ts';
import { useQuery } from '../../data/queries.ts';
import { server } from '../../data/server.ts';
import { hasScope, tenantId } from '../../data/session.ts';
import { count } from '../../parts/amounts.ts';
import { Button } from '../../parts/button.tsx';
import { ErrorNotice } from '../../parts/notice.tsx';
import { visibleText } from '../../parts/visible-text.ts';
import type { DetectorRow } from './detector-row.ts';
import style from './detectors-view.module.css';
import { Recommendations } from './recommendations.tsx';
import { saveThreshold } from './save-threshold.ts';
import { SubtypeTable } from './subtype-table.tsx';
import { changeOf, PREVIEW_DAYS, type ThresholdChange, thresholdOf } from './threshold-change.ts';

/** One detector: the data that its figures were measured on, and its threshold with a preview of a change. */
export function DetectorPanel({ row }: { row: DetectorRow }) {
  const { title, measured, threshold } = row;
  return (
    <section aria-label={title} class={style.panel}>
      <h2>{title}</h2>
      <p>
        {measured?.data_set
          ? `Measured on ${measured.data_set} (${measured.basis}): ${count(measured.sample_count)} samples, ${count(measured.positive_count)} with the fault.`
          : 'No labelled data exist for this detector, so its precision is unknown.'}
      </p>
      <Recommendations row={row} />
      {measured && <SubtypeTable subtypes={measured.subtypes} />}
      {threshold && <Threshold row={row} effective={threshold.effective} calibrated={threshold.calibrated} />}
    </section>
  );
}

interface ThresholdProps {
  row: DetectorRow;
  effective: number;
  calibrated: number;
}

function Threshold({ row: { detector, title, threshold }, effective, calibrated }: ThresholdProps) {
  const text = useSignal(effective.toFixed(2));
  const proposed = thresholdOf(text.value);
  const now = useSignal(Date.now()).value;
  const change = proposed === null ? null : changeOf(detector, effective, proposed, now);
  const override = { key: detector, name: title, previous: threshold?.override ?? null };
  const canEdit = hasScope('write');
  const onInput = (event: { currentTarget: HTMLInputElement }) => {
    text.value = event.currentTarget.value;
  };
  return (
    <form
      class={style.threshold}
      onSubmit={(event) => {
        event.preventDefault();
        if (proposed !== null) void saveThreshold(override, proposed);
      }}
    >
      <h3>Threshold</h3>
      <p>
        Calibrated: {calibrated.toFixed(2)}.{' '}
        {threshold?.override === null ? 'You have not overridden it.' : 'You have overridden it.'}
      </p>
      {canEdit && (
        <>
          <div class={style.values}>
            <input
              type="range"
              aria-label="Firing threshold"
              min={0}
              max={1}
              step={0.01}
              value={proposed ?? effective}
              onInput={onInput}
            />
            <input
              type="number"
              aria-label="Firing threshold as a number"
              aria-invalid={proposed === null}
              min={0}
              max={1}
              step={0.01}
              value={text.value}
              onInput={onInput}
            />
          </div>
          {proposed === null && <p role="alert">Enter a number from 0 to 1.</p>}
          {change && <Preview change={change} />}
          <div class={style.values}>
            <Button type="submit" variant="primary" disabled={change === null}>
              Save
            </Button>
            {threshold?.override !== null && (
              <Button onClick={() => void saveThreshold(override, null)}>Use the calibrated threshold</Button>
            )}
          </div>
        </>
      )}
    </form>
  );
}

/** Recent detections that the change affects, with links to their runs. */
function Preview({ change: { direction, filter } }: { change: ThresholdChange }) {
  const tenant_id = tenantId.value;
  const key = tenant_id === null ? null : `detectors/${tenant_id}/preview/${JSON.stringify(filter)}`;
  const detections = useQuery(key, (signal) =>
    server.detections.list({ tenant_id: tenant_id!, ...filter }, { signal }),
  );
  const { value, error } = detections.value;
  if (error !== undefined && !value) return <ErrorNotice title="The change cannot be previewed" error={error} />;
  return (
    <div aria-live="polite">
      {value && (
        <>
          <p>
            Last {PREVIEW_DAYS} days: {count(value.total)} {direction}
          </p>
          <ul>
            {value.items.map(({ detection_id, trace_id, title }) => (
              <li key={detection_id}>
                <Link to={addressOf('trace', { id: trace_id }, { finding: detection_id })}>
                  <bdi>{visibleText(title)}</bdi>
                </Link>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}
