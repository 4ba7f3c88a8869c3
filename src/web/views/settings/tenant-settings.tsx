import { useSignal } from '@preact/signals';
import type { Tenant } from '../../../client/misstep-client.generated.ts';
import { addressOf, navigate } from '../../address/router.ts';
import { queries, useQuery } from '../../data/queries.ts';
import { server } from '../../data/server.ts';
import { selectTenant, tenantId } from '../../data/session.ts';
import { set } from '../../data/set-signal.ts';
import { Button } from '../../parts/button.tsx';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { Field } from '../../parts/field.tsx';
import form from '../../parts/form.module.css';
import { PlainText } from '../../parts/plain-text.tsx';
import { QueryResult } from '../../parts/query-result.tsx';
import { runAction } from '../../parts/run-action.ts';
import { SecretDialog } from '../../parts/secret-dialog.tsx';
import { timeText, ZONE } from '../../parts/times.ts';
import { visibleText } from '../../parts/visible-text.ts';

const KEY = 'tenants';

/** All tenants of the server, for the operator. */
export function TenantSettings() {
  const tenants = useQuery(KEY, (signal) => server.tenants.list({ page_size: 200 }, { signal }));
  const createdTenant = useSignal<{ name: string; apiKey: string } | null>(null);
  const pendingDeletion = useSignal<Tenant | null>(null);
  const refresh = () => queries.invalidate(KEY);

  async function create(name: string) {
    const tenant = await runAction('The tenant could not be created', () => server.tenants.create({ body: { name } }));
    if (!tenant) return false;
    createdTenant.value = { name: tenant.name, apiKey: tenant.api_key };
    refresh();
    return true;
  }

  async function remove({ tenant_id, name }: Tenant) {
    const request = () => server.tenants.delete({ tenant_id });
    await runAction('The tenant could not be deleted', request, `The tenant ${visibleText(name)} is deleted.`);
    if (tenantId.value === tenant_id) selectTenant(null);
    refresh();
  }

  const columns: Column<Tenant>[] = [
    { title: 'Name', cell: ({ name }) => <PlainText text={name} /> },
    { title: 'Tenant ID', cell: ({ tenant_id }) => <code>{tenant_id}</code> },
    { title: `Created (${ZONE})`, cell: ({ created_at }) => timeText(created_at) },
    {
      title: 'Actions',
      cell: (tenant) => (
        <div class={form.actions}>
          <Button
            label={`Open ${visibleText(tenant.name)}`}
            onClick={() => {
              selectTenant(tenant.tenant_id);
              navigate(addressOf('home'));
            }}
          >
            Open
          </Button>
          <Button
            variant="danger"
            label={`Delete ${visibleText(tenant.name)}`}
            onClick={() => set(pendingDeletion, tenant)}
          >
            Delete
          </Button>
        </div>
      ),
    },
  ];

  return (
    <>
      <NewTenantForm create={create} />
      <QueryResult query={tenants} failure="The tenants cannot be shown">
        {({ items }) => (
          <DataTable label="Tenants" rows={items} columns={columns} keyOf={({ tenant_id }) => tenant_id} />
        )}
      </QueryResult>
      {createdTenant.value && (
        <SecretDialog
          title={`Tenant ${visibleText(createdTenant.value.name)}`}
          secrets={[{ label: 'First API key, with all scopes', value: createdTenant.value.apiKey }]}
          close={() => set(createdTenant, null)}
        />
      )}
      {pendingDeletion.value && (
        <ConfirmDeletion tenant={pendingDeletion.value} remove={remove} close={() => set(pendingDeletion, null)} />
      )}
    </>
  );
}

function ConfirmDeletion({ tenant, remove, close }: { tenant: Tenant; remove(tenant: Tenant): void; close(): void }) {
  return (
    <ConfirmDialog
      title={`Delete ${visibleText(tenant.name)}?`}
      action="Delete tenant"
      confirm={() => remove(tenant)}
      close={close}
    >
      <p>All its traces, detections, issues, keys and settings are deleted. This cannot be undone.</p>
    </ConfirmDialog>
  );
}

function NewTenantForm({ create }: { create(name: string): Promise<boolean> }) {
  const name = useSignal('');
  const error = useSignal<string | null>(null);
  async function submit(event: Event) {
    event.preventDefault();
    if (name.value.trim() === '') error.value = 'Enter a name.';
    else if (await create(name.value.trim())) name.value = '';
  }
  return (
    <form class={form.form} onSubmit={submit} noValidate>
      <Field
        label="Name of the new tenant"
        hint="A team or a product; other tenants cannot see its data."
        value={name.value}
        error={error.value}
        autocomplete="off"
        onChange={(value) => {
          name.value = value;
          error.value = null;
        }}
      />
      <div>
        <Button variant="primary" type="submit">
          Create tenant
        </Button>
      </div>
    </form>
  );
}
