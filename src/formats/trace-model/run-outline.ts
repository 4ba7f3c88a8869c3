import type { Span } from '../../core/span.ts';
import type { Step, TraceStatus } from '../../core/trace.ts';
import { frameworkOfScope, frameworkWeight } from '../conventions/framework-of-scope.ts';
import type { StepFacts } from '../conventions/step-facts.ts';
import { isOpenSession } from '../openclaw/session-span.ts';
import type { SpanTree } from './span-tree.ts';

type Facts = readonly Partial<StepFacts>[];

/** The step that represents the whole run: the first without a parent, or the first orphan if there is none. */
export function findRoot(tree: SpanTree): number | null {
  const root = tree.spans.findIndex((span) => span.parentSpanId === null);
  if (root >= 0) return root;
  return tree.spans.length > 0 ? 0 : null;
}

/** The framework name with the greatest weight, the first among equals; `unknown` if there is none. */
export function frameworkOf(spans: readonly Span[], facts: Facts): string {
  let best: string | null = null;
  const scopes = new Set<string>();
  const consider = (name: string | null | undefined) => {
    if (name && (best === null || frameworkWeight(name) > frameworkWeight(best))) best = name;
  };
  for (const spanFacts of facts) consider(spanFacts.framework);
  for (const span of spans) {
    if (scopes.has(span.scope.name)) continue;
    scopes.add(span.scope.name);
    consider(frameworkOfScope(span));
  }
  return best ?? 'unknown';
}

export function taskOf(root: number | null, steps: readonly Step[], facts: Facts): string | null {
  if (root === null) return null;
  const request = facts[root]?.task ?? firstUserText(steps[root] as Step);
  if (request !== undefined) return request;
  for (const step of steps) {
    const text = facts[step.index]?.task ?? (step.kind === 'tool' ? undefined : firstUserText(step));
    if (text !== undefined) return text;
  }
  return (steps[root] as Step).input || null;
}

function firstUserText(step: Step): string | undefined {
  return step.inputMessages.find((message) => message.role === 'user' && message.content !== '')?.content;
}

/** The output of the root; else, in a run that went well and whose end was read, the last text of a model or agent. */
export function finalOutputOf(
  root: number | null,
  steps: readonly Step[],
  { status, isEndMissing }: { status: TraceStatus; isEndMissing: boolean },
  facts: Facts,
): string | null {
  if (root === null) return null;
  const given = (steps[root] as Step).output;
  if (given !== '' && !facts[root]?.isTurn) return given;
  if (status !== 'ok' || isEndMissing) return null;
  let last: Step | null = null;
  for (const step of steps) {
    if (!SPEAKING_KINDS.has(step.kind) || step.output === '' || isOnlyGiven(step)) continue;
    const isLater = facts[step.index]?.isTurn || (step.endMs ?? 0) >= (last?.endMs ?? 0);
    if (last === null || isLater) last = step;
  }
  return last?.output ?? null;
}

/** The last message of the user, and instructions, are not an answer. */
function isOnlyGiven({ outputMessages }: Step): boolean {
  return outputMessages.length > 0 && outputMessages.every(({ role }) => role === 'user' || role === 'system');
}

const SPEAKING_KINDS = new Set<Step['kind']>(['llm', 'agent', 'chain', 'message']);

/**
 * Running while the root has not ended, may still arrive, or is a session that may continue. Error if a root failed, or if
 * the last step under a root without OK status and output failed: nothing handled it, unless the records after it were
 * rejected. The roots of an abandoned run have ended.
 */
export function statusOf(
  tree: SpanTree,
  steps: readonly Step[],
  {
    isSettled,
    isAbandoned = false,
    isEndMissing,
  }: { isSettled: boolean; isAbandoned?: boolean; isEndMissing: boolean },
  facts: Facts,
): TraceStatus {
  const roots = steps.filter((step) => step.parent === null);
  if (roots.length === 0) return isSettled ? 'ok' : 'running';
  if (!isAbandoned && roots.some((step) => tree.spans[step.index]?.endNs === null)) return 'running';
  if (!isSettled && roots.some((step) => isOpenSession(tree.spans[step.index]!))) return 'running';
  if (!isSettled && tree.spans.every((span) => span.parentSpanId !== null)) return 'running';
  if (roots.some((step) => step.status === 'error')) return 'error';
  return !isEndMissing && endedInFailure(steps, facts) ? 'error' : 'ok';
}

function endedInFailure(steps: readonly Step[], facts: Facts): boolean {
  const lastUnder = new Map<number, Step>();
  for (const step of steps) {
    if (step.parent === null || (steps[step.parent] as Step).parent !== null) continue;
    lastUnder.set(step.parent, step);
  }
  return [...lastUnder].some(([root, last]) => {
    const { status, output } = steps[root] as Step;
    return last.status === 'error' && status === 'unset' && (output === '' || facts[root]?.isTurn === true);
  });
}

/** A fact about the run: from the root if it has one, else from the first span with one. */
export function factOfRun<K extends keyof StepFacts>(key: K, root: number | null, facts: Facts): StepFacts[K] | null {
  const own = root === null ? undefined : facts[root]?.[key];
  if (own !== undefined) return own as StepFacts[K];
  const found = facts.find((spanFacts) => spanFacts[key] !== undefined);
  return (found?.[key] as StepFacts[K] | undefined) ?? null;
}
