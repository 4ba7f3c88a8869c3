import { createHash } from 'node:crypto';
import { type Attributes, msToNs, type Span, type SpanKind } from '../../core/span.ts';

export interface RunIdentity {
  /** The same seed gives the same ids. */
  seed: string;
  /** Service name of the simulated program. */
  service: string;
  /** Instrumentation scope, which identifies the framework. */
  scope: string;
  /** Unix milliseconds. */
  startMs: number;
}

export interface SpanFacts {
  name: string;
  attributes?: Attributes;
  kind?: SpanKind;
  /** Own time in addition to nested spans. */
  ms?: number;
  /** Ends the span as failed, with exception type and message. */
  error?: { type: string; message: string };
}

/** Writes a synthetic run as the spans of an instrumented program; its clock advances with what is recorded. */
export interface RunRecorder {
  /** Records a span, and the spans that `inside` records within it. */
  span(facts: SpanFacts, inside?: () => void): void;
  /** In order of their ends, as exporters send them. */
  spans(): Span[];
}

const PAUSE_MS = 4;

export function createRunRecorder(identity: RunIdentity): RunRecorder {
  const done: Span[] = [];
  const open: string[] = [];
  const traceId = hexOf(`${identity.seed} trace`, 32);
  const resource = { 'service.name': identity.service, 'deployment.environment': 'demo' };
  const scope = { name: identity.scope, version: '1.0.0' };
  let nowMs = identity.startMs;
  let count = 0;

  function span(facts: SpanFacts, inside: () => void = () => {}): void {
    count += 1;
    const spanId = hexOf(`${identity.seed} ${count}`, 16);
    const parentSpanId = open.at(-1) ?? null;
    const startMs = nowMs;
    open.push(spanId);
    nowMs += PAUSE_MS;
    inside();
    nowMs += facts.ms ?? PAUSE_MS;
    open.pop();
    done.push({
      traceId,
      spanId,
      parentSpanId,
      name: facts.name,
      kind: facts.kind ?? 1,
      startNs: msToNs(startMs),
      endNs: msToNs(nowMs),
      status: facts.error ? { code: 2, message: facts.error.message } : { code: 0, message: '' },
      attributes: { ...facts.attributes, ...(facts.error ? { 'error.type': facts.error.type } : {}) },
      events: facts.error ? [exceptionEvent(facts.error, nowMs)] : [],
      links: [],
      resource,
      scope,
    });
  }

  return { span, spans: () => done };
}

function exceptionEvent({ type, message }: { type: string; message: string }, atMs: number) {
  const attributes = { 'exception.type': type, 'exception.message': message };
  return { name: 'exception', timeNs: msToNs(atMs), attributes };
}

function hexOf(text: string, digits: number): string {
  return createHash('sha256').update(text).digest('hex').slice(0, digits);
}
