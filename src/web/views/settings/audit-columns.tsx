import type { AuditEntry } from '../../../client/misstep-client.generated.ts';
import { Link } from '../../address/link.tsx';
import { addressOf } from '../../address/router.ts';
import type { Column } from '../../parts/data-table.tsx';
import { PlainText } from '../../parts/plain-text.tsx';
import { Prose } from '../../parts/prose.tsx';
import { exactTimeText, ZONE } from '../../parts/times.ts';
import { actionWords } from './audit-actions.ts';
import style from './settings-view.module.css';

/**
 * @param nameOf the name of the API key with this id, or the id
 * @param titleOf the title of the plan or issue with this id, if it is known
 */
export function auditColumns(
  nameOf: (actor: string) => string,
  titleOf: (id: string) => string | undefined,
): readonly Column<AuditEntry>[] {
  return [
    {
      title: `Time (${ZONE})`,
      cell: ({ at }) => <span class={style.line}>{exactTimeText(at)}</span>,
    },
    { title: 'Action', cell: ({ action }) => <Action operationId={action} /> },
    { title: 'Actor', cell: ({ actor }) => <Actor id={actor} name={withoutId(nameOf(actor), actor)} /> },
    {
      title: 'Object',
      cell: ({ object_id }) =>
        object_id === null ? '–' : <ChangedObject id={object_id} name={titleOf(object_id) ?? nameOf(object_id)} />,
    },
    { title: 'Changed fields', cell: ({ fields }) => fields.join(', ').replaceAll('_', ' ') || '–' },
    { title: 'Outcome', cell: ({ outcome }) => outcome || '–' },
  ];
}

/** An unknown operation has only its id. */
function Action({ operationId }: { operationId: string }) {
  const words = actionWords(operationId);
  if (words === undefined) return <Id id={operationId} />;
  return (
    <>
      <span class={style.line}>{words}</span>
      <code class={style.secondary}>{operationId}</code>
    </>
  );
}

/** An actor without a name is a session, or a word such as `operator`. */
function Actor({ id, name }: { id: string; name: string }) {
  if (name === id) return id.includes('_') ? <Id id={id} /> : <PlainText text={id} />;
  return (
    <span title={id}>
      <PlainText text={name} />
    </span>
  );
}

/** Plans and issues have a page. */
const PAGE_OF_PREFIX: Readonly<Record<string, (id: string) => string>> = {
  op: (id) => addressOf('plan', { op: id }),
  iss: (id) => addressOf('issue', { id }),
};

/** @param name the id if it has none */
function ChangedObject({ id, name }: { id: string; name: string }) {
  const page = PAGE_OF_PREFIX[id.slice(0, id.indexOf('_'))];
  const shown = name === id ? <Id id={id} /> : <Prose text={withoutId(name, id)} />;
  return page === undefined ? (
    <span title={id}>{shown}</span>
  ) : (
    <Link to={page(id)} title={id}>
      {shown}
    </Link>
  );
}

function Id({ id }: { id: string }) {
  return (
    <code>
      <PlainText text={id} />
    </code>
  );
}

/** The list of names adds the id to a name that several keys have. The column shows the id in the title only. */
function withoutId(name: string, id: string): string {
  const suffix = ` (${id})`;
  return name.endsWith(suffix) ? name.slice(0, -suffix.length) : name;
}
