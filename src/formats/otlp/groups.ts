import { canonicalJson } from '../../core/json.ts';
import type { Attributes, Span, SpanScope } from '../../core/span.ts';

/** Spans nested as in OTLP. */
export interface ResourceGroup {
  resource: Attributes;
  scopes: ScopeGroup[];
}

export interface ScopeGroup {
  scope: SpanScope;
  spans: Span[];
}

/** Groups consecutive spans of the same resource and scope; the order of spans is preserved. */
export function groupSpans(spans: readonly Span[]): ResourceGroup[] {
  const groups: ResourceGroup[] = [];
  for (const span of spans) {
    let group = groups.at(-1);
    if (group === undefined || !isSameResource(group.resource, span.resource)) {
      group = { resource: span.resource, scopes: [] };
      groups.push(group);
    }
    const scope = group.scopes.at(-1);
    if (scope?.scope.name === span.scope.name && scope.scope.version === span.scope.version) scope.spans.push(span);
    else group.scopes.push({ scope: span.scope, spans: [span] });
  }
  return groups;
}

function isSameResource(left: Attributes, right: Attributes): boolean {
  return left === right || canonicalJson(left) === canonicalJson(right);
}
