import { tenantId } from '../../data/session.ts';
import { EmptyNotice } from '../../parts/notice.tsx';
import { PageHeading } from '../../parts/page-heading.tsx';
import { AlertHistory } from './alert-history.tsx';
import { AlertSettings } from './alert-settings.tsx';
import style from './alerts-view.module.css';

/** Alert channels, alert rules, and the alerts with their deliveries. */
export function AlertsView() {
  const tenant = tenantId.value;
  return (
    <div class={style.view}>
      <PageHeading title="Alerts" />
      {tenant === null ? (
        <EmptyNotice title="Select a tenant first" />
      ) : (
        <>
          <AlertHistory tenant={tenant} />
          <AlertSettings key={tenant} tenant={tenant} />
        </>
      )}
    </div>
  );
}
