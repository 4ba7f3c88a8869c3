import type { Span } from '../../core/span.ts';
import { derivedId, TRACE_ID_DIGITS } from '../misstep/derived-id.ts';
import { type ExecutionKey, executionTraceId } from './execution-span.ts';
import { executionOf, isNodeSpan } from './otel-step.ts';

/** Limit for following parents: real nesting is never as deep, and cyclic parents must end. */
const MAX_DEPTH = 64;

/** The trace of each of the spans received together. */
export class SpanTraces {
  /** Traces in which spans wait for their workflow span. */
  readonly held = new Set<string>();
  private readonly spans: ReadonlyMap<string, Span>;
  private readonly keys = new Map<Span, ExecutionKey>();
  private readonly known = new Map<Span, string | null>();
  private readonly isHolding: boolean;

  constructor(spans: readonly Span[], isHolding: boolean) {
    this.isHolding = isHolding;
    this.spans = new Map(spans.map((span) => [placeOf(span.traceId, span.spanId), span]));
    for (const span of spans) {
      const key = executionOf(span);
      if (key !== null) this.keys.set(span, key);
    }
  }

  /** Null for a span that is neither n8n's nor below an n8n span. */
  of(span: Span, depth = 0): string | null {
    const known = this.known.get(span);
    if (known !== undefined) return known;
    const target = this.find(span, depth);
    this.known.set(span, target);
    return target;
  }

  private find(span: Span, depth: number): string | null {
    const key = this.keys.get(span);
    if (key !== undefined && (span.parentSpanId === null || !isErrorRun(span))) return executionTraceId(key);
    const parent = this.parentOf(span);
    const above = parent === undefined || depth >= MAX_DEPTH ? null : this.of(parent, depth + 1);
    if (above !== null) return above;
    if (key === undefined && !isNodeSpan(span)) return null;
    if (this.isHolding && span.parentSpanId !== null) return this.hold(heldTraceId(span.traceId, span.parentSpanId));
    return key === undefined ? span.traceId : executionTraceId(key);
  }

  private hold(traceId: string): string {
    this.held.add(traceId);
    return traceId;
  }

  parentOf({ traceId, parentSpanId }: Span): Span | undefined {
    return parentSpanId === null ? undefined : this.spans.get(placeOf(traceId, parentSpanId));
  }

  /** Workflow spans with the traces in which spans may wait for them. */
  workflows(): { span: Span; heldTraceId: string }[] {
    return [...this.keys.keys()].map((span) => ({ span, heldTraceId: heldTraceId(span.traceId, span.spanId) }));
  }
}

/** An error workflow runs for another run, which failed. */
export function isErrorRun({ attributes }: Span): boolean {
  return attributes['n8n.execution.mode'] === 'error';
}

function placeOf(traceId: string, spanId: string): string {
  return `${traceId} ${spanId}`;
}

function heldTraceId(traceId: string, workflowSpanId: string): string {
  return derivedId(TRACE_ID_DIGITS, 'n8n-otel', traceId, workflowSpanId);
}
