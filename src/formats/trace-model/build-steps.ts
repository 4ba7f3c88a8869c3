import type { Span } from '../../core/span.ts';
import { NO_TOKENS, type Step, type StepError, type ToolCall } from '../../core/trace.ts';
import type { StepFacts } from '../conventions/step-facts.ts';
import { endMsOf, type SpanTree, startMsOf } from './span-tree.ts';

const NO_FACTS: never[] = [];

/** Steps of a tree with the facts of each span and inherited agents. Tokens and cost are assigned elsewhere. */
export function buildSteps(tree: SpanTree, facts: readonly Partial<StepFacts>[]): Step[] {
  const steps: Step[] = [];
  /** Node of the nearest enclosing visit of each step, to distinguish a visit from the steps inside it. */
  const nodesAround: (string | null)[] = [];
  for (let index = 0; index < tree.spans.length; index++) {
    const parent = tree.parents[index] ?? null;
    const spanFacts = facts[index] as Partial<StepFacts>;
    const enclosingNode = parent === null ? null : (nodesAround[parent] ?? null);
    const step = toStep(tree.spans[index] as Span, spanFacts, { index, parent, depth: tree.depths[index] as number });
    step.agent = spanFacts.agent ?? (parent === null || spanFacts.isTurn ? null : (steps[parent] as Step).agent);
    step.workingDirectory ??= parent === null ? null : (steps[parent] as Step).workingDirectory;
    step.node = spanFacts.node === undefined || spanFacts.node === enclosingNode ? null : spanFacts.node;
    nodesAround.push(spanFacts.node ?? enclosingNode);
    steps.push(step);
  }
  return steps;
}

function toStep(span: Span, facts: Partial<StepFacts>, place: Pick<Step, 'index' | 'parent' | 'depth'>): Step {
  const kind = facts.kind ?? 'other';
  const tool = kind === 'tool' ? (facts.tool ?? toolByName(span.name)) : null;
  const inputMessages = facts.inputMessages ?? NO_FACTS;
  const outputMessages = facts.outputMessages ?? NO_FACTS;
  return {
    ...place,
    spanId: span.spanId,
    kind,
    name: span.name,
    agent: null,
    node: null,
    startMs: facts.isTimeSynthetic ? null : startMsOf(span),
    endMs: facts.isTimeSynthetic ? null : endMsOf(span),
    status: statusOf(span, facts),
    error: facts.error ?? errorWithoutMessage(span),
    input: tool ? textOf(tool.arguments) : (facts.input ?? lastText(inputMessages)),
    output: tool ? textOf(tool.result) : (facts.output ?? lastText(outputMessages)),
    inputMessages,
    outputMessages,
    tool,
    model: facts.model ?? null,
    provider: facts.provider ?? null,
    tokens: NO_TOKENS,
    costUsd: null,
    finishReasons: facts.finishReasons ?? NO_FACTS,
    goto: facts.goto ?? handoffOf(tool),
    documents: facts.documents ?? NO_FACTS,
    workingDirectory: facts.workingDirectory ?? null,
    ...runtimeFacts(facts),
  };
}

/** Omits keys without a reported value. */
function runtimeFacts(facts: Partial<StepFacts>): Partial<Step> {
  const { answeredBy, errorFallback, rounds, round, missingFields, isInterrupted, reportedLoop, isUsagePartial } =
    facts;
  const { toolOutcome, refusal, messageId, compaction, failureSettings, branches, failedCode, startedRuns, hook } =
    facts;
  return {
    ...(answeredBy === undefined ? {} : { answeredBy }),
    ...(errorFallback === undefined ? {} : { errorFallback }),
    ...(failureSettings === undefined ? {} : { failureSettings }),
    ...(rounds === undefined ? {} : { rounds }),
    ...(branches === undefined ? {} : { branches }),
    ...(round === undefined ? {} : { round }),
    ...(missingFields === undefined ? {} : { missingFields }),
    ...(failedCode === undefined ? {} : { failedCode }),
    ...(startedRuns === undefined ? {} : { startedRuns }),
    ...(hook === undefined ? {} : { hook }),
    ...(reportedLoop === undefined ? {} : { reportedLoop }),
    ...(toolOutcome === undefined ? {} : { toolOutcome }),
    ...(refusal === undefined ? {} : { refusal }),
    ...(messageId === undefined ? {} : { messageId }),
    ...(compaction === undefined ? {} : { compaction }),
    ...(isUsagePartial ? { isUsagePartial: true as const } : {}),
    ...(isInterrupted ? { isInterrupted: true as const } : {}),
  };
}

function toolByName(name: string): ToolCall {
  return { id: null, name, arguments: null, result: null };
}

/** A tool that returned an error failed, although its span ended well. */
function statusOf(span: Span, facts: Partial<StepFacts>): Step['status'] {
  if (span.status.code === 2 || facts.hasFailed || (facts.error && span.status.code === 1)) return 'error';
  return span.status.code === 1 ? 'ok' : 'unset';
}

function errorWithoutMessage(span: Span): StepError | null {
  return span.status.code === 2 ? { type: '', message: '' } : null;
}

function textOf(value: ToolCall['arguments']): string {
  if (value === null) return '';
  if (typeof value === 'string') return value;
  try {
    return JSON.stringify(value);
  } catch {
    return ''; // nested deeper than the stack allows
  }
}

function lastText(messages: Step['inputMessages']): string {
  return messages.findLast((message) => message.content !== '')?.content ?? '';
}

const HANDOFF_TOOL = /^(?:transfer_to_|handoff_to_|delegate_to_|transfer_back_to_)/;

/** Frameworks with handoff tools put the receiver's name into the tool's name. */
function handoffOf(tool: ToolCall | null): string[] {
  const marker = tool ? HANDOFF_TOOL.exec(tool.name)?.[0] : undefined;
  return tool && marker ? [tool.name.slice(marker.length)] : NO_FACTS;
}
