import type { Span } from '../../src/core/span.ts';

/** A span with default values for all fields that a test does not set; its duration is zero. */
export function makeSpan(overrides: Partial<Span> = {}): Span {
  return {
    traceId: 't1',
    spanId: 's1',
    parentSpanId: null,
    name: 'step',
    kind: 1,
    startNs: 1_790_000_000_000_000_000n,
    endNs: overrides.startNs ?? 1_790_000_000_000_000_000n,
    status: { code: 0, message: '' },
    attributes: {},
    events: [],
    links: [],
    resource: {},
    scope: { name: '', version: '' },
    ...overrides,
  };
}
