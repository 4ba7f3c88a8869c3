import type { Json, JsonObject } from '../../core/json.ts';
import { msToNs, type Span } from '../../core/span.ts';
import type { StepKind } from '../../core/trace.ts';
import { MISSTEP } from '../misstep/attributes.ts';
import type { Execution, NodeRun, WorkflowNode } from './execution-shape.ts';
import { type ExecutionKey, executionRootId, makeSpan, nodeSpanId, textOf } from './execution-span.ts';
import { failedCode } from './failed-code.ts';
import { failedItems } from './failed-items.ts';
import { firstInputItem, firstItem, firstOf, hasData, type Items, itemsIn, itemsOut, type RunLookup } from './items.ts';
import { objectOr, textOrNull } from './json-fields.ts';
import { missingFields } from './missing-fields.ts';
import { modelAnswer, modelCall } from './model-call.ts';
import { readNodeError } from './node-error.ts';
import { attachmentOf, isEntryType, kindOf } from './node-kind.ts';
import { executionLink } from './sub-executions.ts';

/** Keeps the order of nodes that started in the same millisecond, without shifting any by a millisecond. */
const ORDER_NS = 1000n;
const MAX_ORDERED = 900;

/** One run of a node. Nodes attached to an AI node are below the run of that node. */
export function nodeSpan(run: NodeRun, execution: Execution, key: ExecutionKey, runOf: RunLookup): Span {
  const attachment = attachmentOf(run, execution);
  const node = execution.nodes.get(run.node);
  const startNs = msToNs(run.startMs) + ORDER_NS * BigInt(Math.min(run.executionIndex ?? 0, MAX_ORDERED));
  const endNs = run.endMs === null ? null : msToNs(run.endMs);
  const partial = attachment === null ? failedItems(run, execution, runOf) : null;
  const error = run.error ?? partial?.error ?? null;
  const failed = readNodeError(error, (node?.failureSettings.attempts ?? 1) > 1, run.endMs ?? run.startMs);
  const code = error === null ? null : failedCode(node?.parameters ?? null, error);
  const missing = attachment === null && node !== undefined ? missingFields(node, run.source, runOf) : [];
  const { kind, attributes } =
    attachment === null ? mainFlowFacts(run, execution, runOf) : attachedFacts(run, execution, attachment);
  return makeSpan(
    key,
    kind,
    {
      spanId: nodeSpanId(key, run.node, run.runIndex),
      parentSpanId: attachment === null ? executionRootId(key) : parentOf(run, key, runOf),
      name: run.node,
      startNs,
      endNs: endNs !== null && endNs < startNs ? startNs : endNs,
      status: failed.status,
      events: failed.events,
      links: run.subExecutions.map((started) => executionLink(started, 'sub_execution')),
    },
    {
      'gen_ai.agent.name': kind === 'agent' ? run.node : null,
      'graphruntime.node.name': attachment === null ? run.node : null,
      'n8n.node.type': node?.type || null,
      'n8n.node.run': run.runIndex,
      'n8n.execution.index': run.executionIndex,
      [MISSTEP.errorFallback]: partial?.errorFallback ?? null,
      [MISSTEP.failureSettings]: settingsOf(node, attachment),
      [MISSTEP.missingFields]: missing.length === 0 ? null : JSON.stringify(missing),
      [MISSTEP.startedRuns]: startedRunsOf(run),
      [MISSTEP.failedCode]: code === null || failed.status.code !== 2 ? null : JSON.stringify(code),
      ...attributes,
      ...failed.attributes,
    },
  );
}

function startedRunsOf({ subExecutions }: NodeRun): string | null {
  const runs = subExecutions.map(({ executionId, workflowId }) => ({ id: executionId, workflow: workflowId }));
  return runs.length === 0 ? null : JSON.stringify(runs);
}

/** n8n applies no failure settings to attached nodes other than tools: those of the node that uses them apply. */
function settingsOf(node: WorkflowNode | undefined, attachment: string | null): string | null {
  const isApplied = attachment === null || attachment === 'ai_tool';
  return node === undefined || !isApplied ? null : JSON.stringify(node.failureSettings);
}

/** The source of a sub-node is the node that uses it. */
function parentOf(run: NodeRun, key: ExecutionKey, runOf: RunLookup): string {
  const [user] = run.source;
  if (user === undefined || runOf(user.node, user.run) === null) return executionRootId(key);
  return nodeSpanId(key, user.node, user.run);
}

interface NodeFacts {
  kind: StepKind;
  attributes: Record<string, Json>;
}

function attachedFacts(run: NodeRun, execution: Execution, attachment: string): NodeFacts {
  const kind = kindOf(run, execution);
  if (kind === 'llm') return { kind, attributes: modelCall(run) };
  const request = firstInputItem(run, attachment);
  // A failed node stores its input in place of its output.
  const given = run.error === null ? firstItem(run, attachment) : {};
  if (kind === 'tool') {
    return { kind, attributes: toolCall(run.node, nonEmpty(request), given.response ?? nonEmpty(given)) };
  }
  return {
    kind,
    attributes: { 'input.value': textOf(request), 'output.value': textOf(given.response ?? nonEmpty(given)) },
  };
}

function nonEmpty(item: JsonObject): JsonObject | null {
  return Object.keys(item).length > 0 ? item : null;
}

function mainFlowFacts(run: NodeRun, execution: Execution, runOf: RunLookup): NodeFacts {
  const kind = kindOf(run, execution);
  const type = execution.nodes.get(run.node)?.type ?? '';
  const input = itemsIn(run.source, runOf);
  const output = itemsOut(run, 'main');
  const counts = { 'n8n.items.in': input.count, 'n8n.items.out': output.count };
  const answered = kind === 'tool' || kind === 'llm' ? modelAnswer(objectOr(output.value ?? undefined)) : null;
  if (answered !== null)
    return { kind: 'llm', attributes: { ...counts, 'input.value': textOf(input.value), ...answered } };
  if (kind === 'tool') return { kind, attributes: { ...counts, ...toolCall(run.node, input.value, output.value) } };
  if (isEntryType(type)) return { ...fromTrigger(output), kind };
  return {
    kind,
    attributes: {
      ...counts,
      'input.value': textOf(input.value),
      'output.value': hasData(output) ? textOf(output.value) : null,
    },
  };
}

function toolCall(name: string, given: Json, result: Json): Record<string, Json> {
  return {
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': name,
    'gen_ai.tool.call.arguments': textOf(given),
    'gen_ai.tool.call.result': textOf(result),
  };
}

function fromTrigger(output: Items): Pick<NodeFacts, 'attributes'> {
  const chat = textOrNull(firstOf(output).chatInput);
  if (chat !== null)
    return { attributes: { 'gen_ai.output.messages': JSON.stringify([{ role: 'user', content: chat }]) } };
  return { attributes: { 'output.value': textOf(output.value) } };
}
