import type { Attributes, Span } from '../../core/span.ts';
import { workingDirectoryOf } from '../coding-session/working-directory.ts';
import { modelCallSpanId, sessionRootId, sessionTraceId, toolSpanId } from '../hooks/session-span.ts';
import { MISSTEP } from '../misstep/attributes.ts';
import { SPAN_TABLES } from './agent-tables.ts';
import { withToolParts } from './claude-code.ts';
import { SessionDirectories } from './session-directories.ts';
import type { AgentStep, SpanTable } from './span-table.ts';

/**
 * Spans of coding agents' own telemetry. Model calls, tool calls and subagents move into the trace of their session, which
 * also contains its hooks and log events; all others keep their trace and are marked as bookkeeping. Spans of other
 * programs are returned unchanged.
 */
export function agentSpans(spans: readonly Span[]): Span[] {
  const roots = new Map<string, Span>();
  const directories = directoriesOf(spans);
  const read = withToolParts(spans).map((span) => {
    const table = tableOf(span);
    if (table === undefined) return span;
    const step = table.stepOf(span);
    const sessionId = step === null ? null : sessionOf(span, table);
    if (step === null) return bookkeeping(span, table);
    if (sessionId === null) return span;
    updateRoot(roots, { span, table, sessionId, directory: directories.get(sessionId) ?? null });
    return sessionStep(span, table, step, sessionId);
  });
  return roots.size === 0 ? read : [...roots.values(), ...read];
}

function tableOf({ resource, scope }: Span): SpanTable | undefined {
  const service = resource['service.name'];
  return typeof service === 'string' ? SPAN_TABLES.find((table) => table.isOwn(service, scope.name)) : undefined;
}

function sessionOf({ attributes, resource }: Span, { sessionKeys }: SpanTable): string | null {
  for (const source of [attributes, resource])
    for (const key of sessionKeys) {
      const value = source[key];
      if (typeof value === 'string' && value !== '') return value;
    }
  return null;
}

function bookkeeping(span: Span, { framework }: SpanTable): Span {
  const marks = { [MISSTEP.stepKind]: 'other', [MISSTEP.framework]: framework, [MISSTEP.isBookkeeping]: true };
  return { ...span, attributes: { ...span.attributes, ...marks } };
}

function sessionStep(span: Span, { framework }: SpanTable, step: AgentStep, sessionId: string): Span {
  const known = Object.entries(step.attributes).filter(([, value]) => value !== null) as [string, string][];
  const isUnset = span.status.code !== 2;
  return {
    ...span,
    traceId: sessionTraceId(sessionId),
    spanId: stepId(span, step, sessionId),
    parentSpanId: sessionRootId(sessionId),
    name: stepName(span, step),
    // A prompt is an instant, but its span lasts until the answer.
    endNs: step.kind === 'message' ? span.startNs : span.endNs,
    status: step.hasFailed && isUnset ? { code: 2, message: span.status.message } : span.status,
    attributes: {
      ...span.attributes,
      ...stepMarks(framework, sessionId, step.kind),
      ...Object.fromEntries(known),
    },
  };
}

function stepMarks(framework: string, sessionId: string, kind: string): Attributes {
  return {
    [MISSTEP.stepKind]: kind,
    [MISSTEP.framework]: framework,
    [MISSTEP.sessionId]: sessionId,
    ...(kind === 'agent' ? {} : { 'gen_ai.agent.name': framework }),
  };
}

/** The step name that the session's hooks and log events use. */
function stepName({ name, attributes }: Span, step: AgentStep): string {
  const tool = step.attributes['gen_ai.tool.name'] ?? attributes['gen_ai.tool.name'];
  if (step.kind === 'llm') return 'chat';
  if (step.kind === 'message') return 'prompt';
  return step.kind === 'tool' && typeof tool === 'string' ? tool : name;
}

function stepId({ spanId }: Span, { kind, id }: AgentStep, sessionId: string): string {
  if (id === null) return spanId;
  if (kind === 'tool') return toolSpanId(sessionId, id);
  return kind === 'llm' ? modelCallSpanId(sessionId, id) : spanId;
}

/** The working directories in these spans, including bookkeeping spans. */
function directoriesOf(spans: readonly Span[]): ReadonlyMap<string, string | null> {
  const directories = new SessionDirectories();
  for (const span of spans) {
    const table = tableOf(span);
    if (table !== undefined)
      directories.addSpan(span.traceId, sessionOf(span, table), workingDirectoryOf(span.attributes, span.resource));
  }
  return directories.bySession();
}

interface SessionStep {
  span: Span;
  table: SpanTable;
  sessionId: string;
  directory: string | null;
}

/** Updates the session's root from these spans: it ends with the last of them. Its start comes from another source. */
function updateRoot(roots: Map<string, Span>, { span, table: { framework }, sessionId, directory }: SessionStep): void {
  const before = roots.get(sessionId);
  const endNs = span.endNs ?? span.startNs;
  if (before !== undefined && before.endNs! >= endNs) return;
  roots.set(sessionId, {
    ...span,
    traceId: sessionTraceId(sessionId),
    spanId: sessionRootId(sessionId),
    parentSpanId: null,
    name: framework,
    startNs: 0n,
    endNs,
    status: { code: 0, message: '' },
    attributes: {
      ...stepMarks(framework, sessionId, 'agent'),
      ...(directory === null ? {} : folderMarks(directory)),
      [MISSTEP.isSpanSession]: true,
      'gen_ai.agent.name': framework,
    },
    events: [],
    links: [],
  });
}

function folderMarks(directory: string): Attributes {
  return { [MISSTEP.workingDirectory]: directory, [MISSTEP.sessionProject]: directory };
}
