import { PLACEHOLDER_ERROR, writtenError } from '../../core/decoder-error.ts';
import type { Attributes, Span, SpanStatus } from '../../core/span.ts';
import type { StepKind } from '../../core/trace.ts';
import { MISSTEP } from '../misstep/attributes.ts';
import type { ExecutionKey } from './execution-span.ts';
import { isAttachedType, kindOfType } from './node-kind.ts';

/** Source of a span of an execution; omitted for n8n's API, which has the most facts. */
export const SOURCE = 'n8n.source';

/** The execution of a `workflow.execute` span of n8n's own OpenTelemetry; null for every other span. */
export function executionOf({ attributes }: Span): ExecutionKey | null {
  const [workflowId, executionId] = [attributes['n8n.workflow.id'], attributes['n8n.execution.id']];
  const isOther = attributes[MISSTEP.framework] !== undefined;
  if (isOther || typeof workflowId !== 'string' || typeof executionId !== 'string' || executionId === '') return null;
  return { workflowId, executionId };
}

/** Whether it is a `node.execute` span. */
export function isNodeSpan({ attributes }: Span): boolean {
  return typeof attributes['n8n.node.name'] === 'string' && attributes[MISSTEP.framework] === undefined;
}

/** Whether it is the test span that n8n sends when someone tests its settings, which is not a run. */
export function isTestSpan({ attributes }: Span): boolean {
  return attributes['n8n.test'] === true;
}

/** A workflow span as the root of a run, with the attributes of the other sources. */
export function workflowStep(span: Span, { workflowId, executionId }: ExecutionKey): Span {
  const { attributes } = span;
  const status = attributes['n8n.execution.status'];
  return {
    ...span,
    name: textAt(attributes, 'n8n.workflow.name') ?? `workflow ${workflowId}`,
    // A run that waited continues under the same execution id.
    endNs: status === 'waiting' || status === 'running' || status === 'new' ? null : span.endNs,
    status: workflowStatus(span, status),
    attributes: {
      ...attributes,
      ...marks('chain'),
      [MISSTEP.recordId]: executionId,
      ...withoutUndefined({
        'n8n.mode': textAt(attributes, 'n8n.execution.mode'),
        'n8n.status': textAt(attributes, 'n8n.execution.status'),
        'n8n.retry_of': textAt(attributes, 'n8n.execution.retry_of'),
        'error.type': span.status.code === 2 ? textAt(attributes, 'n8n.execution.error_type') : undefined,
      }),
    },
  };
}

/** n8n reports a cancelled run as OK. Only its settings, which telemetry lacks, can identify a timeout. */
function workflowStatus(span: Span, status: unknown): SpanStatus {
  if (status === 'canceled') return { code: 0, message: '' };
  if (span.status.code !== 2) return span.status;
  const fallback = status === 'crashed' ? writtenError('n8nCrash') : PLACEHOLDER_ERROR.n8nExecution;
  return { code: 2, message: messageOf(span) ?? fallback };
}

/** A node span as a step. */
export function nodeStep(span: Span): Span {
  const { attributes } = span;
  const [name, type] = [String(attributes['n8n.node.name']), textAt(attributes, 'n8n.node.type') ?? ''];
  const kind = kindOfType(type);
  return {
    ...span,
    name,
    status: nodeStatus(span),
    attributes: {
      ...attributes,
      ...marks(kind),
      ...withoutUndefined({
        'gen_ai.agent.name': kind === 'agent' ? name : undefined,
        'gen_ai.tool.name': kind === 'tool' ? name : undefined,
        'gen_ai.operation.name': kind === 'tool' ? 'execute_tool' : kind === 'llm' ? 'chat' : undefined,
        'graphruntime.node.name': isAttachedType(type) ? undefined : name,
        'n8n.items.in': attributes['n8n.node.items.input'],
        'n8n.items.out': attributes['n8n.node.items.output'],
      }),
    },
  };
}

/** A node that was cut off when its run was cancelled did not fail itself. */
function nodeStatus(span: Span): SpanStatus {
  const reason = textAt(span.attributes, 'n8n.node.termination_reason');
  if (reason === 'workflow_cancelled') return { code: 0, message: '' };
  if (span.status.code !== 2) return span.status;
  const fallback = reason === undefined ? PLACEHOLDER_ERROR.n8nNode : writtenError('n8nNodeEnded', reason);
  return { code: 2, message: messageOf(span) ?? fallback };
}

function messageOf({ status, events }: Span): string | null {
  const exception = events.findLast(({ name }) => name === 'exception');
  const message = exception?.attributes['exception.message'];
  return status.message || (typeof message === 'string' && message !== '' ? message : null);
}

function marks(kind: StepKind): Attributes {
  return { [MISSTEP.stepKind]: kind, [MISSTEP.framework]: 'n8n', [SOURCE]: 'otel' };
}

function textAt(attributes: Attributes, key: string): string | undefined {
  const value = attributes[key];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function withoutUndefined(attributes: Record<string, Attributes[string] | undefined>): Attributes {
  return Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined)) as Attributes;
}
