import type { Attributes, Span, SpanEvent } from '../../core/span.ts';
import { MISSTEP } from '../misstep/attributes.ts';
import { nestUnderAgents } from './nest-under-agents.ts';
import { SOURCE } from './otel-step.ts';

type Source = 'api' | 'otel' | 'notice';

/** The source with the most facts about an execution first. */
const SOURCES: readonly Source[] = ['api', 'otel', 'notice'];

/**
 * Executions of n8n as reported by its API, telemetry and webhooks, with each step once, in any order of arrival. The API
 * knows inputs and outputs of nodes, telemetry knows which nodes ran, a webhook knows one failure or one result. Spans of
 * other traces are returned unchanged.
 */
export function joinExecutions(spans: readonly Span[]): readonly Span[] {
  if (!spans.some(({ attributes }) => attributes[SOURCE] !== undefined)) return spans;
  const join = new Join();
  const runs = spans.filter(({ attributes }) => attributes['n8n.node.run'] !== undefined);
  const children = Map.groupBy(spans, ({ parentSpanId }) => parentSpanId);
  for (const reports of Map.groupBy(spans.filter(isRoot), executionIdOf).values()) {
    const sorted = reports.toSorted((one, other) => rankOf(one) - rankOf(other) || byStart(one, other));
    const nodes = sorted.flatMap(({ spanId }) => children.get(spanId) ?? []).filter((span) => !isRoot(span));
    const isKnown = sourceOf(sorted[0]!) === 'api' && runs.length > 0;
    joinRoots(isKnown ? sorted.filter((root) => sourceOf(root) !== 'notice') : sorted, sorted, join);
    if (isKnown) joinKnownRuns(runs, nodes, join);
    else joinNotices(nodes, join);
  }
  return nestUnderAgents(join.result(spans));
}

/** Replacements for spans, and for the parents of spans whose own parent was replaced. */
class Join {
  private readonly replaced = new Map<string, Span | null>();
  private readonly parents = new Map<string, string>();

  keep(span: Span): void {
    this.replaced.set(span.spanId, span);
  }

  drop(span: Span, kept: Span | null): void {
    this.replaced.set(span.spanId, null);
    if (kept !== null) this.parents.set(span.spanId, kept.spanId);
  }

  result(spans: readonly Span[]): Span[] {
    return spans.flatMap((span) => {
      const by = this.replaced.get(span.spanId);
      if (by === null) return [];
      const kept = by ?? span;
      const parent = kept.parentSpanId === null ? undefined : this.parents.get(kept.parentSpanId);
      return [parent === undefined ? kept : { ...kept, parentSpanId: parent }];
    });
  }
}

function isRoot({ attributes }: Span): boolean {
  return attributes['n8n.workflow.id'] !== undefined && attributes[MISSTEP.recordId] !== undefined;
}

function executionIdOf({ attributes }: Span): string {
  return String(attributes[MISSTEP.recordId]);
}

function sourceOf({ attributes }: Span): Source {
  const source = attributes[SOURCE];
  return source === 'otel' || source === 'notice' ? source : 'api';
}

function rankOf(span: Span): number {
  return SOURCES.indexOf(sourceOf(span));
}

/** @param used the reports whose facts are used @param all reports of the execution; the first represents all */
function joinRoots(used: readonly Span[], all: readonly Span[], join: Join): void {
  const [best, ...others] = all as [Span, ...Span[]];
  join.keep(joinedRoot(used));
  for (const root of others) join.drop(root, best);
}

/** The best report with facts that only another has. The API's view of a running execution is older than its end. */
function joinedRoot(reports: readonly Span[]): Span {
  const [best] = reports as [Span];
  const ended = best.endNs === null ? (reports.find(({ endNs }) => endNs !== null) ?? best) : best;
  const attributes: Attributes = Object.assign({}, ...reports.toReversed().map((report) => report.attributes));
  if (ended !== best) attributes['n8n.status'] = ended.attributes['n8n.status'] ?? null;
  if (sourceOf(best) === 'api') delete attributes[SOURCE];
  return {
    ...best,
    startNs: earliestStart(reports.filter((report) => sourceOf(report) === sourceOf(best))),
    endNs: ended.endNs,
    status: sourceOf(ended) === 'api' ? ended.status : mostDetailedStatus(reports, ended),
    links: [
      ...new Map(reports.flatMap(({ links }) => links).map((link) => [link.traceId + link.spanId, link])).values(),
    ],
    attributes,
  };
}

/** An execution that waited has several roots of one source. Webhooks have the time of receipt, so sources are not compared. */
function earliestStart(reports: readonly Span[]): bigint {
  return reports.map(({ startNs }) => startNs).reduce((first, next) => (next < first ? next : first));
}

/**
 * A failure takes precedence. Of several reports of it, the longest is used because telemetry omits the service's own
 * message.
 */
function mostDetailedStatus(reports: readonly Span[], otherwise: Span): Span['status'] {
  const failures = reports.map(({ status }) => status).filter(({ code }) => code === 2);
  return failures.toSorted((one, other) => other.message.length - one.message.length)[0] ?? otherwise.status;
}

/**
 * Runs of a node correspond by order of their start. Runs that the API does not know are kept, such as one that was cut
 * off.
 */
function joinKnownRuns(runs: readonly Span[], nodes: readonly Span[], join: Join): void {
  const runsByName = Map.groupBy(runs.toSorted(byStart), ({ name }) => name);
  for (const span of nodes) if (sourceOf(span) === 'notice') join.drop(span, null);
  const telemetry = nodes.filter((span) => sourceOf(span) === 'otel').sort(byStart);
  for (const [name, same] of Map.groupBy(telemetry, (span) => span.name))
    for (const [at, span] of same.entries()) {
      const run = runsByName.get(name)?.[at];
      if (run === undefined) continue;
      join.drop(span, run);
      if (run.endNs === null) join.keep({ ...run, endNs: span.endNs, status: span.status });
    }
}

/** The node that a webhook reports as failed, joined with the telemetry's last failed run of that node. */
function joinNotices(nodes: readonly Span[], join: Join): void {
  for (const notice of nodes.filter((span) => sourceOf(span) === 'notice')) {
    const run = nodes
      .filter((span) => sourceOf(span) === 'otel' && span.name === notice.name && span.status.code === 2)
      .sort(byStart)
      .at(-1);
    if (run === undefined) continue;
    join.drop(notice, run);
    const attributes = { ...notice.attributes, ...run.attributes };
    const status = mostDetailedStatus([run, notice], run);
    const events = [...run.events, ...notice.events].map((event) => withMessage(event, status.message));
    join.keep({ ...run, status, events, attributes });
  }
}

/** Telemetry records a shorter message of the same error as its exception, which would hide the longer one. */
function withMessage(event: SpanEvent, message: string): SpanEvent {
  const recorded = event.name === 'exception' ? event.attributes['exception.message'] : undefined;
  if (typeof recorded !== 'string' || !message.includes(recorded)) return event;
  return { ...event, attributes: { ...event.attributes, 'exception.message': message } };
}

function byStart(one: Span, other: Span): number {
  return one.startNs < other.startNs ? -1 : one.startNs > other.startNs ? 1 : 0;
}
