import type { TraceSummary } from '../../../client/misstep-client.generated.ts';
import { Link } from '../../address/link.tsx';
import { addressOf } from '../../address/router.ts';
import { atLeast, costText, count, duration, hasModelCall, NOT_MEASURED, tokensText } from '../../parts/amounts.ts';
import { SeverityMark } from '../../parts/severity-mark.tsx';
import { STATUS_EXPLANATIONS, STATUS_LABELS } from '../../parts/status-label.ts';
import { timeParts, ZONE } from '../../parts/times.ts';
import { visibleText } from '../../parts/visible-text.ts';
import style from './trace-table.module.css';

/** Maximum number of agents named in a row; the others are counted. */
const MAX_AGENTS = 3;

export function TraceTable({ items }: { items: readonly TraceSummary[] }) {
  const maxDuration = Math.max(1, ...items.map(({ duration_ms }) => duration_ms ?? 0));
  return (
    <div class={style.scroll}>
      <table class={style.table}>
        <thead>
          <tr>
            <th scope="col">Status</th>
            <th scope="col">Trace</th>
            <th scope="col">Worst</th>
            <th scope="col">Grade</th>
            <th scope="col" class={style.extra}>
              Agents
            </th>
            <th scope="col" class={style.number}>
              Steps
            </th>
            <th scope="col" class={style.number}>
              Tokens
            </th>
            <th scope="col" class={style.number}>
              Cost
            </th>
            <th scope="col">Duration</th>
            <th scope="col">Started ({ZONE})</th>
          </tr>
        </thead>
        <tbody>
          {items.map((trace) => (
            <Row key={trace.trace_id} trace={trace} maxDuration={maxDuration} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function noDuration(status: TraceSummary['status']): string {
  return status === 'running' ? 'no end yet' : 'unknown';
}

const NONE_RECORDED = 'none recorded';
const WORDS: ReadonlySet<string> = new Set([NOT_MEASURED, NONE_RECORDED]);

/** `not measured` takes two lines, so that the task has more room. */
function Amount({ text }: { text: string }) {
  return WORDS.has(text) ? <span class={style.missing}>{text}</span> : text;
}

function Row({ trace, maxDuration }: { trace: TraceSummary; maxDuration: number }) {
  const { trace_id, status, agent_ids, span_count, total_tokens, cost_usd, duration_ms, max_severity, grade } = trace;
  const [date, timeOfDay] = timeParts(trace.started_at);
  return (
    <tr>
      <td class={style[status]} title={STATUS_EXPLANATIONS[status]}>
        {STATUS_LABELS[status]}
      </td>
      <th scope="row" class={style.run}>
        <Link to={addressOf('trace', { id: trace_id })}>
          <bdi>{visibleText(trace.title ?? trace.name)}</bdi>
        </Link>
        {trace.task !== null && (
          <span class={style.task} dir="auto">
            {visibleText(trace.task)}
          </span>
        )}
      </th>
      <td class={style.worst}>{max_severity === null ? '–' : <SeverityMark severity={max_severity} hasLabel />}</td>
      <td data-title="grade">{grade ?? '–'}</td>
      <td class={style.extra}>
        {agent_ids.length === 0 ? (
          '–'
        ) : (
          <ul class={style.agents} aria-label="Agents">
            {agent_ids.slice(0, MAX_AGENTS).map((agent) => (
              <li key={agent} dir="auto" title={agent}>
                {visibleText(agent)}
              </li>
            ))}
            {agent_ids.length > MAX_AGENTS && <li>+{agent_ids.length - MAX_AGENTS}</li>}
          </ul>
        )}
      </td>
      <td class={style.number} data-title="steps">
        {count(span_count)}
      </td>
      <td class={style.number} data-title="tokens">
        <Amount text={hasModelCall(trace) ? atLeast(trace, tokensText(total_tokens)) : NONE_RECORDED} />
      </td>
      <td class={style.number} data-title="cost">
        <Amount text={hasModelCall(trace) ? atLeast(trace, costText(cost_usd)) : '–'} />
      </td>
      <td class={style.duration} data-title="duration">
        {duration_ms === null ? (
          noDuration(status)
        ) : (
          <>
            {duration(duration_ms * 1_000)}
            <meter min={0} max={maxDuration} value={duration_ms} aria-hidden="true" />
          </>
        )}
      </td>
      <td class={`${style.number} ${style.started}`}>
        <time dateTime={trace.started_at}>
          <span>{date}</span> <span>{timeOfDay}</span>
        </time>
      </td>
    </tr>
  );
}
