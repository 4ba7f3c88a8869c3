import { Link } from '../../address/link.tsx';
import { addressOf, currentRoute } from '../../address/router.ts';
import { queries, refetchAll, useIsSlow, useQuery } from '../../data/queries.ts';
import { server } from '../../data/server.ts';
import { hasScope, tenantId } from '../../data/session.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { ErrorNotice, LoadingPlaceholder } from '../../parts/notice.tsx';
import { PageHeading } from '../../parts/page-heading.tsx';
import { showFailure, showToast } from '../../parts/toasts.tsx';
import { DetectorPanel } from './detector-panel.tsx';
import { type DetectorRow, rowsOf } from './detector-row.ts';
import style from './detectors-view.module.css';
import { Measured, Unknown } from './measured.tsx';

/** Every detector: whether it is enabled, its measured accuracy, and its firing threshold. */
export function DetectorsView() {
  const tenant_id = tenantId.value;
  const keyOf = (name: string) => (tenant_id === null ? null : `detectors/${tenant_id}/${name}`);
  const switches = useQuery(keyOf('switches'), (signal) =>
    server.settings.detectors({ tenant_id: tenant_id! }, { signal }),
  );
  const overrides = useQuery(keyOf('overrides'), (signal) =>
    server.settings.overrides({ tenant_id: tenant_id! }, { signal }),
  );
  const status = useQuery(keyOf('status'), (signal) => server.diagnostics.detectorStatus({}, { signal }));
  const feedback = useQuery(keyOf('feedback'), (signal) =>
    server.feedback.stats({ tenant_id: tenant_id! }, { signal }),
  );
  const recommended = useQuery(keyOf('recommended'), (signal) =>
    server.feedback.recommendations({ tenant_id: tenant_id! }, { signal }),
  );
  const isSlow = useIsSlow(switches);
  const { value, error } = switches.value;
  const rows = value
    ? rowsOf(value, overrides.value.value, status.value.value, feedback.value.value, recommended.value.value)
    : [];
  const selected = rows.find(({ detector }) => detector === currentRoute.value?.query.detector);
  return (
    <div class={style.view}>
      <PageHeading title="Detectors" />
      <p>
        Precision and recall are measured on published labelled data; – means that there is none. They determine the
        tier: a detector without labelled data is experimental, even if it reports plain facts.
      </p>
      {error !== undefined && !value && (
        <ErrorNotice title="The detectors cannot be shown" error={error} retry={refetchAll} />
      )}
      {isSlow && <LoadingPlaceholder />}
      {value && (
        <div class={style.columns}>
          <DataTable
            label="Detectors"
            columns={COLUMNS}
            rows={rows}
            keyOf={({ detector }) => detector}
            isCurrent={({ detector }) => detector === selected?.detector}
          />
          {selected && <DetectorPanel key={`${selected.detector} ${selected.threshold?.effective}`} row={selected} />}
        </div>
      )}
    </div>
  );
}

async function switchDetector({ detector, title, enabled }: DetectorRow, isOn: boolean): Promise<void> {
  const tenant_id = tenantId.value;
  if (tenant_id === null) return;
  try {
    await server.settings.switchDetectors({ tenant_id, body: { [detector]: isOn } });
    showToast(
      `${title} is ${isOn ? 'on' : 'off'}. It applies from the next trace.`,
      () => void switchDetector({ detector, title, enabled: isOn } as DetectorRow, enabled),
    );
  } catch (error) {
    showFailure(`${title} could not be switched on or off`, error);
  }
  queries.invalidate('detectors/');
}

const COLUMNS: Column<DetectorRow>[] = [
  {
    title: 'Detector',
    cell: ({ detector, title }) => <Link to={addressOf('detectors', { detector })}>{title}</Link>,
  },
  {
    title: 'On',
    cell: (row) =>
      hasScope('write') ? (
        <button
          type="button"
          role="switch"
          aria-checked={row.enabled}
          aria-label={row.title}
          class={style.switch}
          onClick={() => void switchDetector(row, !row.enabled)}
        />
      ) : row.enabled ? (
        'on'
      ) : (
        'off'
      ),
  },
  { title: 'Tier', cell: ({ tier }) => tier },
  {
    title: 'Precision',
    cell: ({ measured }) => (
      <Measured
        name="Precision"
        value={measured?.precision ?? null}
        interval={measured?.precision_interval ?? null}
        samples={measured?.sample_count ?? 0}
      />
    ),
  },
  {
    title: 'Recall',
    cell: ({ measured }) => (
      <Measured
        name="Recall"
        value={measured?.recall ?? null}
        interval={measured?.recall_interval ?? null}
        samples={measured?.sample_count ?? 0}
      />
    ),
  },
  {
    title: 'Precision by your feedback',
    cell: ({ feedback }) =>
      feedback === undefined || feedback.precision === null ? (
        <Unknown text="no feedback" />
      ) : (
        <Measured
          name="Precision by feedback"
          value={feedback.precision}
          interval={feedback.interval.precision}
          samples={feedback.samples}
        />
      ),
  },
  {
    title: 'Threshold',
    cell: ({ threshold, recommendations }) => (
      <>
        {threshold?.effective.toFixed(2)}
        {recommendations.some(({ apply }) => apply !== null) && <span class={style.advice}>change recommended</span>}
      </>
    ),
    isNumber: true,
  },
];
