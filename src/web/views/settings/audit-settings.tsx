import { useSignal } from '@preact/signals';
import type { AuditEntry } from '../../../client/misstep-client.generated.ts';
import { useActorNames } from '../../data/actor-names.ts';
import { useQuery } from '../../data/queries.ts';
import { server } from '../../data/server.ts';
import { pluralize } from '../../parts/amounts.ts';
import { Button } from '../../parts/button.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { Field } from '../../parts/field.tsx';
import form from '../../parts/form.module.css';
import { EmptyNotice } from '../../parts/notice.tsx';
import { PlainText } from '../../parts/plain-text.tsx';
import { QueryResult } from '../../parts/query-result.tsx';
import { timeText, ZONE } from '../../parts/times.ts';
import style from './settings-view.module.css';

const PAGE_SIZE = 100;

const auditColumns = (nameOf: (actor: string) => string): readonly Column<AuditEntry>[] => [
  { title: 'Action', cell: ({ action }) => action },
  { title: 'Actor', cell: ({ actor }) => <PlainText text={nameOf(actor)} /> },
  { title: 'Object', cell: ({ object_id }) => <PlainText text={object_id ?? ''} /> },
  { title: 'Fields', cell: ({ fields }) => fields.join(', ') },
  { title: 'Outcome', cell: ({ outcome }) => outcome },
  { title: `Time (${ZONE})`, cell: ({ at }) => timeText(at) },
];

/** Changes by API keys, sessions and jobs, newest first. */
export function AuditSettings({ tenant }: { tenant: string }) {
  const draft = useSignal({ action: '', actor: '' });
  const filter = useSignal(draft.peek());
  /** Cursors of the pages up to the current one; empty for the first page. */
  const cursors = useSignal<readonly string[]>([]);
  const nameOf = useActorNames(tenant);
  const { action, actor } = filter.value;
  const cursor = cursors.value.at(-1);
  const key = `audit/${tenant}/${action}/${actor}/${cursor ?? ''}`;
  const entries = useQuery(key, (signal) =>
    server.audit.list(
      {
        ...{ tenant_id: tenant, page_size: PAGE_SIZE },
        ...(cursor === undefined ? {} : { cursor }),
        ...(action ? { action } : {}),
        ...(actor ? { actor } : {}),
      },
      { signal },
    ),
  );
  function submit(event: Event) {
    event.preventDefault();
    filter.value = { action: draft.value.action.trim(), actor: draft.value.actor.trim() };
    cursors.value = [];
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
      <QueryResult query={entries} failure="The audit log cannot be shown">
        {({ items, total, next_cursor }) =>
          items.length === 0 ? (
            <EmptyNotice title={action || actor ? 'No change fits the filter' : 'No change is recorded'} />
          ) : (
            <>
              <p>{pluralize(total, 'change')}, newest first</p>
              <DataTable
                label="Audit log"
                rows={items}
                columns={auditColumns(nameOf)}
                keyOf={({ audit_id }) => audit_id}
              />
              {(cursor !== undefined || next_cursor !== null) && (
                <div class={form.actions}>
                  <Button
                    disabled={cursor === undefined}
                    onClick={() => {
                      cursors.value = cursors.value.slice(0, -1);
                    }}
                  >
                    Newer changes
                  </Button>
                  <Button
                    disabled={next_cursor === null}
                    onClick={() => {
                      if (next_cursor !== null) cursors.value = [...cursors.value, next_cursor];
                    }}
                  >
                    Older changes
                  </Button>
                </div>
              )}
            </>
          )
        }
      </QueryResult>
    </>
  );
}
