import type { ModelCatalog } from '../../core/model-catalog.ts';
import type { Span } from '../../core/span.ts';
import type { Step, ToolDefinition, Trace } from '../../core/trace.ts';
import { readStepFacts } from '../conventions/read-step-facts.ts';
import { serviceOfResource } from '../conventions/service-of-resource.ts';
import type { StepFacts } from '../conventions/step-facts.ts';
import { readToolDeclaration } from '../conventions/tool-declarations.ts';
import { joinHookParts } from '../hooks/join-hook-parts.ts';
import { MISSTEP } from '../misstep/attributes.ts';
import { titleOfTask } from '../misstep/task-title.ts';
import { joinExecutions } from '../n8n/join-executions.ts';
import { joinOpenClawCalls } from '../openclaw/join-calls.ts';
import { attributeTokens, sumCost, sumTokens } from './attribute-tokens.ts';
import { buildSteps } from './build-steps.ts';
import { closeOpenCalls } from './close-open-calls.ts';
import { joinMastra } from './join-mastra.ts';
import { joinSession } from './join-session.ts';
import { placeRejections, rejectionsIn } from './place-rejections.ts';
import { programLanguage } from './program-language.ts';
import { factOfRun, finalOutputOf, findRoot, frameworkOf, statusOf, taskOf } from './run-outline.ts';
import { senderIdsOf } from './sender-ids.ts';
import { buildSpanTree, type SpanTree } from './span-tree.ts';
import { stateSnapshots } from './state-snapshots.ts';
import { storableSpans } from './storable-spans.ts';
import { withoutFirstStep } from './synthetic-root.ts';

export interface TraceOptions {
  models: ModelCatalog;
  /** False while later spans may still arrive. */
  isSettled: boolean;
  /** Whether nothing arrived for so long that a root without an end counts as ended; false if omitted. */
  isAbandoned?: boolean;
}

/**
 * The run in these spans, which all belong to one trace. Pure, accepts any spans in any order, and never throws:
 * duplicates, orphans, cycles, missing times and several roots all occur in practice. O(n log n).
 */
export function buildTrace(spans: readonly Span[], options: TraceOptions): Trace {
  const tree = buildSpanTree(closeOpenCalls(joinSources(storableSpans(spans))));
  const facts = tree.spans.map(readStepFacts);
  const steps = buildSteps(tree, facts);
  attributeTokens(steps, facts, options.models);
  const root = findRoot(tree);
  const rejected = placeRejections(tree, steps, rejectionsIn(facts));
  const isEndMissing = rejected?.isEndMissing === true;
  const status = statusOf(tree, steps, { ...options, isEndMissing }, facts);
  const states = stateSnapshots(steps, facts);
  const isCutOff = options.isAbandoned === true && hasOpenRoot(tree);
  const session = factOfRun('codingSession', root, facts);
  // The end in an earlier turn does not apply to the last one.
  const isEndUnknown = isCutOff || isEndMissing;
  const codingSession = session !== null && isEndUnknown ? { ...session, endedBy: 'unknown' as const } : session;
  const task = taskOf(root, steps, facts);
  const rootSpan = root === null ? null : (tree.spans[root] as Span);
  const isSession = codingSession !== null || (rootSpan !== null && isUnnamedSession(rootSpan));
  const sessionName = isSession ? (codingSession?.title ?? titleOfTask(task ?? '')) : null;
  const language = programLanguage(tree.spans);
  const senderIds = rootSpan === null ? [] : senderIdsOf(rootSpan);
  return {
    traceId: rootSpan?.traceId ?? '',
    framework: frameworkOf(tree.spans, facts),
    ...(language === null ? {} : { language }),
    serviceName: serviceNameOf(tree.spans),
    name: (root === null ? undefined : facts[root]?.runName) ?? sessionName ?? rootSpan?.name ?? '',
    task,
    status,
    sessionId: factOfRun('sessionId', root, facts),
    threadId: factOfRun('threadId', root, facts),
    ...(senderIds.length === 0 ? {} : { senderIds }),
    ...timesOf(tree, steps, isCutOff),
    isSettled: options.isSettled,
    ...(isSyntheticRoot(tree) ? withoutFirstStep(steps, states) : { steps, states }),
    agents: distinct(steps, (step) => step.agent),
    tokens: sumTokens(steps),
    costUsd: sumCost(steps),
    models: distinct(steps, (step) => step.model),
    toolDefinitions: declaredTools(facts),
    graph: factOfRun('graph', root, facts),
    checkpoints: factOfRun('checkpoints', root, facts) ?? [],
    finalOutput: finalOutputOf(root, steps, { status, isEndMissing }, facts),
    ...(codingSession === null ? {} : { codingSession }),
    ...(rejected === null ? {} : { rejectedRecords: rejected }),
  };
}

/** Whether a decoder created the first span to represent the run, and there are other spans. */
function isSyntheticRoot({ spans, parents }: SpanTree): boolean {
  const [first] = spans;
  return spans.length > 1 && parents[0] === null && first!.attributes[MISSTEP.isRootSynthetic] === true;
}

/** Each step once, however many spans and sources report it. */
function joinSources(spans: readonly Span[]): readonly Span[] {
  return joinMastra(joinOpenClawCalls(joinSession(joinHookParts(joinExecutions(spans)))));
}

/** Session roots of coding agents have the agent's name until a source names the session. */
function isUnnamedSession({ name, attributes }: Span): boolean {
  return attributes[MISSTEP.framework] === name && attributes[MISSTEP.sessionId] !== undefined;
}

function serviceNameOf(spans: readonly Span[]): string | null {
  for (const { resource } of spans) {
    const name = serviceOfResource(resource);
    if (name !== null) return name;
  }
  return null;
}

/** The end stays open while any root is running. A run that was cut off ended at its latest known time. */
function timesOf(tree: SpanTree, steps: readonly Step[], isCutOff: boolean): Pick<Trace, 'startedAtMs' | 'endedAtMs'> {
  let startedAtMs: number | null = null;
  let endedAtMs: number | null = null;
  for (const { startMs, endMs } of steps) {
    if (startMs !== null && (startedAtMs === null || startMs < startedAtMs)) startedAtMs = startMs;
    const lastMs = isCutOff ? (endMs ?? startMs) : endMs;
    if (lastMs !== null && (endedAtMs === null || lastMs > endedAtMs)) endedAtMs = lastMs;
  }
  return { startedAtMs, endedAtMs: hasOpenRoot(tree) && !isCutOff ? null : endedAtMs };
}

function hasOpenRoot({ spans, parents }: SpanTree): boolean {
  return spans.some((span, index) => span.endNs === null && parents[index] === null);
}

function distinct(steps: readonly Step[], pick: (step: Step) => string | null): string[] {
  const names = new Set<string>();
  for (const step of steps) {
    const name = pick(step);
    if (name !== null) names.add(name);
  }
  return [...names];
}

/**
 * Every call repeats the tool declarations: each text is parsed once, and of two tools with the same name the more complete
 * one is used.
 */
function declaredTools(facts: readonly Partial<StepFacts>[]): ToolDefinition[] {
  const texts = new Set<string>();
  for (const spanFacts of facts) for (const text of spanFacts.toolDeclarations ?? []) texts.add(text);
  const tools = new Map<string, ToolDefinition>();
  for (const text of texts) {
    for (const tool of readToolDeclaration(text)) {
      const known = tools.get(tool.name);
      if (!known || (known.parameters === null && tool.parameters !== null)) tools.set(tool.name, tool);
    }
  }
  return [...tools.values()];
}
