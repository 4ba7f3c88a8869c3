import type { ComponentType } from 'preact';
import { Link } from '../../address/link.tsx';
import { addressOf, currentRoute } from '../../address/router.ts';
import { hasScope, session, tenantId } from '../../data/session.ts';
import { EmptyNotice } from '../../parts/notice.tsx';
import { PageHeading } from '../../parts/page-heading.tsx';
import { AuditSettings } from './audit-settings.tsx';
import { IntegrationSettings } from './integration-settings.tsx';
import { JudgeSettings } from './judge-settings.tsx';
import { KeySettings } from './key-settings.tsx';
import { RetentionSettings } from './retention-settings.tsx';
import style from './settings-view.module.css';
import { TenantSettings } from './tenant-settings.tsx';

interface SettingsPage {
  what: string;
  label: string;
  Page: ComponentType<{ tenant: string }>;
  isAllowed(): boolean;
}

const PAGES: readonly SettingsPage[] = [
  { what: 'keys', label: 'API keys', Page: KeySettings, isAllowed: () => hasScope('admin') },
  { what: 'retention', label: 'Retention', Page: RetentionSettings, isAllowed: () => hasScope('read') },
  { what: 'integrations', label: 'Integrations', Page: IntegrationSettings, isAllowed: () => hasScope('read') },
  { what: 'judge', label: 'Judge', Page: JudgeSettings, isAllowed: () => hasScope('read') },
  { what: 'audit', label: 'Audit log', Page: AuditSettings, isAllowed: () => hasScope('admin') },
  { what: 'tenants', label: 'Tenants', Page: TenantSettings, isAllowed: () => session.value?.is_operator === true },
];

/** Settings of the tenant. Pages that the scopes of the session forbid are hidden. */
export function SettingsView() {
  const what = currentRoute.value?.params.what;
  const allowed = PAGES.filter(({ isAllowed }) => isAllowed());
  const currentPage = what === undefined ? allowed[0] : allowed.find((page) => page.what === what);
  return (
    <div class={style.view}>
      <PageHeading title={currentPage ? `Settings: ${currentPage.label}` : 'Settings'} />
      <nav aria-label="Settings">
        <ul class={style.pages}>
          {allowed.map((page) => (
            <li key={page.what}>
              <Link
                to={addressOf('settings', { what: page.what })}
                {...(page === currentPage ? { 'aria-current': 'page' as const } : {})}
              >
                {page.label}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <PageContent page={currentPage} />
    </div>
  );
}

function PageContent({ page }: { page: SettingsPage | undefined }) {
  const tenant = tenantId.value;
  if (page === undefined)
    return (
      <EmptyNotice title="These settings cannot be shown">
        <p>The address names no page of the settings, or your key does not allow it.</p>
      </EmptyNotice>
    );
  if (tenant === null && page.what !== 'tenants') return <EmptyNotice title="Choose a tenant first" />;
  return <page.Page key={tenant} tenant={tenant ?? ''} />;
}
