import { useSignal } from '@preact/signals';
import { useActorNames } from '../../data/actor-names.ts';
import { useQuery } from '../../data/queries.ts';
import { server } from '../../data/server.ts';
import { pluralize } from '../../parts/amounts.ts';
import { Button } from '../../parts/button.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Field } from '../../parts/field.tsx';
import form from '../../parts/form.module.css';
import { EmptyNotice } from '../../parts/notice.tsx';
import { QueryResult } from '../../parts/query-result.tsx';
import { ACTIONS_WITH_WORDS, actionWords } from './audit-actions.ts';
import { auditColumns } from './audit-columns.tsx';
import style from './settings-view.module.css';
import { useObjectTitles } from './use-object-titles.ts';

const PAGE_SIZE = 100;

const ACTION_OPTIONS = ACTIONS_WITH_WORDS.map((id) => ({ id, words: actionWords(id)! })).sort((a, b) =>
  a.words.localeCompare(b.words),
);

const NO_FILTER = { action: '', actor: '' };

/** Changes by API keys, sessions and jobs, newest first. */
export function AuditSettings({ tenant }: { tenant: string }) {
  const draft = useSignal(NO_FILTER);
  const filter = useSignal(draft.peek());
  /** Cursors of the pages up to the current one; empty for the first page. */
  const cursors = useSignal<readonly string[]>([]);
  const { nameOf, idOf } = useActorNames(tenant);
  const titleOf = useObjectTitles(tenant);
  const { action, actor } = filter.value;
  const cursor = cursors.value.at(-1);
  const key = `audit/${tenant}/${action}/${actor}/${cursor ?? ''}`;
  const entries = useQuery(key, (signal) =>
    server.audit.list(
      {
        ...{ tenant_id: tenant, page_size: PAGE_SIZE },
        ...(cursor === undefined ? {} : { cursor }),
        ...(action ? { action } : {}),
        ...(actor ? { actor: idOf(actor) } : {}),
      },
      { signal },
    ),
  );
  const isFiltered = action !== '' || actor !== '';
  const hasNothing = !isFiltered && cursor === undefined && entries.value.value?.items.length === 0;
  function apply(next: typeof NO_FILTER) {
    draft.value = next;
    filter.value = next;
    cursors.value = [];
  }
  function submit(event: Event) {
    event.preventDefault();
    apply({ action: draft.value.action.trim(), actor: draft.value.actor.trim() });
  }
  return (
    <>
      <form class={style.filters} onSubmit={submit} noValidate hidden={hasNothing}>
        <label class={style.select}>
          Action
          <select
            value={draft.value.action}
            onChange={({ currentTarget }) => apply({ ...draft.value, action: currentTarget.value })}
          >
            <option value="">Any action</option>
            {ACTION_OPTIONS.map(({ id, words }) => (
              <option key={id} value={id}>
                {words}
              </option>
            ))}
          </select>
        </label>
        <Field
          label="Actor"
          placeholder="Name or ID of a key"
          value={draft.value.actor}
          onChange={(value) => {
            draft.value = { ...draft.value, actor: value };
          }}
        />
        <div class={form.actions}>
          <Button type="submit">Filter</Button>
          <Button onClick={() => apply(NO_FILTER)}>Clear</Button>
        </div>
      </form>
      <QueryResult query={entries} failure="The audit log cannot be shown">
        {({ items, total, next_cursor }) =>
          items.length === 0 ? (
            <EmptyNotice title={isFiltered ? 'No change fits the filter' : 'No change yet'}>
              {!isFiltered && (
                <p>Changes of keys, settings, detectors and plans appear here with their time and key.</p>
              )}
            </EmptyNotice>
          ) : (
            <>
              <p class={style.secondary}>{pluralize(total, 'change')}, newest first</p>
              <DataTable
                label="Audit log"
                rows={items}
                columns={auditColumns(nameOf, titleOf)}
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
