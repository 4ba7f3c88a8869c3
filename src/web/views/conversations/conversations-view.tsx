import type { Conversation } from '../../../client/misstep-client.generated.ts';
import { Link } from '../../address/link.tsx';
import { addressOf, currentRoute } from '../../address/router.ts';
import { useQuery } from '../../data/queries.ts';
import { server } from '../../data/server.ts';
import { tenantId } from '../../data/session.ts';
import { count, pluralize, shortCount, tokensText } from '../../parts/amounts.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { EmptyNotice } from '../../parts/notice.tsx';
import { PageHeading } from '../../parts/page-heading.tsx';
import { PageLinks } from '../../parts/page-links.tsx';
import { QueryResult } from '../../parts/query-result.tsx';
import { timeText, ZONE } from '../../parts/times.ts';
import { visibleText } from '../../parts/visible-text.ts';
import style from './conversations-view.module.css';

/** Conversations that were ingested as conversations; each links to its trace. */
export function ConversationsView() {
  const tenant_id = tenantId.value;
  const cursor = currentRoute.value?.query.cursor;
  const key = tenant_id === null ? null : `conversations/${tenant_id}/${cursor ?? ''}`;
  const page = useQuery(key, (signal) =>
    server.conversations.list({ tenant_id: tenant_id!, ...(cursor === undefined ? {} : { cursor }) }, { signal }),
  );
  return (
    <div class={style.view}>
      <PageHeading title="Conversations" />
      <p class={style.note}>
        Chats between users and agents that were sent or imported as conversations. Tokens are those that the sender
        reported; an estimate from the texts is marked.
      </p>
      <QueryResult query={page} failure="The conversations cannot be shown">
        {({ items, total, next_cursor }) =>
          items.length === 0 ? (
            <EmptyNotice title="No conversation has arrived">
              <p>
                Conversations are sent with <code>POST …/conversations/ingest</code> or imported from a file. Runs that
                arrive as spans are in the <Link to={addressOf('traces')}>list of traces</Link>.
              </p>
            </EmptyNotice>
          ) : (
            <>
              <p class={style.note}>{pluralize(total, 'conversation')}</p>
              <DataTable
                label="Conversations"
                columns={COLUMNS}
                rows={items}
                keyOf={({ conversation_id }) => conversation_id}
              />
              <PageLinks
                first={cursor === undefined ? null : addressOf('conversations')}
                next={next_cursor === null ? null : addressOf('conversations', { cursor: next_cursor })}
              />
            </>
          )
        }
      </QueryResult>
    </div>
  );
}

const COLUMNS: Column<Conversation>[] = [
  {
    title: 'Conversation',
    cell: ({ conversation_id, trace_id, task }) => (
      <div class={style.name}>
        <Link to={addressOf('trace', { id: trace_id }, { view: 'chat' })}>
          <bdi>{visibleText(task ?? conversation_id)}</bdi>
        </Link>
      </div>
    ),
  },
  { title: 'Participants', cell: ({ participants }) => <bdi>{visibleText(participants.join(', '))}</bdi> },
  { title: 'Turns', cell: ({ turn_count }) => count(turn_count), isNumber: true },
  {
    title: 'Tokens',
    cell: ({ total_tokens, reported_tokens }) => (
      <>
        {tokensText(reported_tokens)}
        {total_tokens > reported_tokens && (
          <small class={style.estimate}>about {shortCount(total_tokens)} estimated</small>
        )}
      </>
    ),
    isNumber: true,
  },
  {
    title: 'Detections',
    cell: ({ failure_modes, analyzed }) => failure_modes.join(', ') || (analyzed ? 'none found' : 'not yet analyzed'),
  },
  { title: `Started (${ZONE})`, cell: ({ started_at }) => timeText(started_at), isNumber: true },
];
