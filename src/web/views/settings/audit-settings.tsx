import { useSignal } from '@preact/signals';
import type { AuditEntry } from '../../../client/misstep-client.generated.ts';
import { useQuery } from '../../data/queries.ts';
import { server } from '../../data/server.ts';
import { counted } from '../../parts/amounts.ts';
import { Answer } from '../../parts/answer.tsx';
import { Button } from '../../parts/button.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { Field } from '../../parts/field.tsx';
import { EmptyNotice } from '../../parts/notice.tsx';
import { PlainText } from '../../parts/plain-text.tsx';
import { timeText, ZONE } from '../../parts/times.ts';
import style from './settings-view.module.css';

const MOST = 200;

const COLUMNS: readonly Column<AuditEntry>[] = [
  { title: 'Action', cell: ({ action }) => action },
  { title: 'Actor', cell: ({ actor }) => <PlainText text={actor} /> },
  { title: 'Object', cell: ({ object_id }) => <PlainText text={object_id ?? ''} /> },
  { title: 'Fields', cell: ({ fields }) => fields.join(', ') },
  { title: 'Outcome', cell: ({ outcome }) => outcome },
  { title: `Time (${ZONE})`, cell: ({ at }) => timeText(at) },
];

/** Changes by API keys, sessions and jobs, newest first. */
export function AuditSettings({ tenant }: { tenant: string }) {
  const draft = useSignal({ action: '', actor: '' });
  const asked = useSignal(draft.peek());
  const { action, actor } = asked.value;
  const key = `audit/${tenant}/${action}/${actor}`;
  const entries = useQuery(key, (signal) =>
    server.audit.list(
      { tenant_id: tenant, page_size: MOST, ...(action ? { action } : {}), ...(actor ? { actor } : {}) },
      { signal },
    ),
  );
  function submit(event: Event) {
    event.preventDefault();
    asked.value = { action: draft.value.action.trim(), actor: draft.value.actor.trim() };
  }
  return (
    <>
      <form class={style.filters} onSubmit={submit} noValidate>
        <Field
          label="Action"
          value={draft.value.action}
          onChange={(value) => {
            draft.value = { ...draft.value, action: value };
          }}
        />
        <Field
          label="Actor"
          value={draft.value.actor}
          onChange={(value) => {
            draft.value = { ...draft.value, actor: value };
          }}
        />
        <Button type="submit">Filter</Button>
      </form>
      <Answer query={entries} failure="The audit log cannot be shown">
        {({ items, total }) =>
          items.length === 0 ? (
            <EmptyNotice title="No change fits the filter" />
          ) : (
            <>
              <p>
                {total > items.length
                  ? `The newest ${items.length} of ${counted(total, 'change')}`
                  : counted(total, 'change')}
              </p>
              <DataTable label="Audit log" rows={items} columns={COLUMNS} keyOf={({ audit_id }) => audit_id} />
            </>
          )
        }
      </Answer>
    </>
  );
}
