import { currentRoute } from '../../address/router.ts';
import { refetchAll, useIsSlow, useQuery } from '../../data/queries.ts';
import { server } from '../../data/server.ts';
import { tenantId } from '../../data/session.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { ErrorNotice, LoadingPlaceholder } from '../../parts/notice.tsx';
import { PageHeading } from '../../parts/page-heading.tsx';
import { columnsOf, DETECTION_DAYS } from './detector-columns.tsx';
import { DetectorDetail } from './detector-detail.tsx';
import { type DetectorRow, rowsOf } from './detector-row.ts';
import style from './detectors-view.module.css';
import { FigureNotes } from './figure-notes.tsx';

/** Every detector: whether it is enabled, what it detected here, its measured accuracy, and its firing threshold; or one of them. */
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
  const detections = useQuery(keyOf('detections'), (signal) =>
    server.analytics.series(
      { tenant_id: tenant_id!, metric: 'detections', by: 'detection_type', days: DETECTION_DAYS, top: 50 },
      { signal },
    ),
  );
  const isSlow = useIsSlow(switches);
  const { value, error } = switches.value;
  const rows = value
    ? rowsOf(value, {
        overrides: overrides.value.value,
        status: status.value.value,
        feedback: feedback.value.value,
        recommended: recommended.value.value,
        detections: detections.value.value,
      })
    : [];
  const selected = rows.find(({ detector }) => detector === currentRoute.value?.query.detector);
  if (selected) return <DetectorDetail key={`${selected.detector} ${selected.threshold?.effective}`} row={selected} />;
  return (
    <div class={style.view}>
      <PageHeading title="Detectors" />
      {error !== undefined && !value && (
        <ErrorNotice title="The detectors cannot be shown" error={error} retry={refetchAll} />
      )}
      {isSlow && <LoadingPlaceholder />}
      {value && (
        <>
          <FigureNotes tier={commonTier(rows)} />
          <DataTable label="Detectors" columns={columnsOf(rows)} rows={rows} keyOf={({ detector }) => detector} />
        </>
      )}
    </div>
  );
}

/** The tier of all detectors; null if they differ. */
function commonTier(rows: readonly DetectorRow[]): string | null {
  const tiers = new Set(rows.map(({ tier }) => tier));
  return tiers.size === 1 ? [...tiers][0]! : null;
}
