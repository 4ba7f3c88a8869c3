import { isJsonObject } from '../../core/json.ts';
import type { Attributes } from '../../core/span.ts';
import type { Branches, StepKind } from '../../core/trace.ts';
import { asCount, entryOf, jsonAt, textAt, textsAt } from './attribute-values.ts';
import { readIoValue } from './io-value.ts';
import { readMessages } from './messages.ts';
import type { FactsReader, StepFacts } from './step-facts.ts';

export const MASTRA_TYPE = 'mastra.span.type';

/** Mastra's OpenTelemetry exporter: GenAI conventions, with inputs and outputs of all but model and tool calls under `mastra.<type>.…`. */
export const readMastra: FactsReader = ({ name, attributes }) => {
  const type = textAt(attributes, MASTRA_TYPE);
  if (type === undefined) return null;
  const facts: Partial<StepFacts> = {
    framework: 'mastra',
    kind: kindOf(type, attributes),
    node: textAt(attributes, 'mastra.workflow_step.step_id'),
    sessionId: textAt(attributes, 'mastra.metadata.sessionId'),
    ...readContent(type, attributes),
  };
  const workflow = type === 'workflow_run' ? /^invoke_workflow (.+)$/.exec(name)?.[1] : undefined;
  if (workflow !== undefined) facts.runName = workflow;
  const branches = type === 'workflow_conditional' ? branchesIn(attributes) : undefined;
  if (branches !== undefined) facts.branches = branches;
  return facts;
};

function branchesIn(attributes: Attributes): Branches | undefined {
  const conditions = asCount(attributes['mastra.workflow_conditional.condition_count']);
  if (conditions === undefined || jsonAt(attributes, SELECTED) === undefined) return undefined;
  return { conditions, taken: textsAt(attributes, SELECTED) };
}

const SELECTED = 'mastra.workflow_conditional.selected_steps';

const KINDS: Record<string, StepKind> = {
  agent_run: 'agent',
  model_generation: 'chain',
  model_step: 'chain',
  client_tool_call: 'tool',
  workflow_run: 'chain',
  workflow_step: 'chain',
  workflow_conditional: 'chain',
  workflow_parallel: 'chain',
  workflow_loop: 'chain',
  mapping: 'chain',
  processor_run: 'chain',
};

/** Versions without a separate request span mark the whole generation as the call, which the conventions cover. */
function kindOf(type: string, attributes: Attributes): StepKind | undefined {
  return attributes['gen_ai.operation.name'] === 'chat' ? undefined : entryOf(KINDS, type);
}

function readContent(type: string, attributes: Attributes): Partial<StepFacts> {
  const facts: Partial<StepFacts> = {};
  const given = jsonAt(attributes, `mastra.${type}.input`);
  const returned = jsonAt(attributes, `mastra.${type}.output`);
  if (given !== undefined) {
    const { text, task, messages } = readIoValue(given);
    facts.input = text;
    if (type === 'agent_run' || type === 'workflow_run') facts.task = task;
    facts.inputMessages = type === 'agent_run' ? withInstructions(attributes, text, messages) : messages;
  }
  // An answer is `{text, files, toolCalls, …}`.
  if (isJsonObject(returned) && typeof returned.text === 'string') facts.output = returned.text;
  else if (returned !== undefined) facts.output = readIoValue(returned).text;
  return facts;
}

function withInstructions(
  attributes: Attributes,
  text: string,
  messages: StepFacts['inputMessages'],
): StepFacts['inputMessages'] {
  const prompt = messages.length > 0 ? messages : readMessages(text, 'user');
  const instructions = jsonAt(attributes, 'gen_ai.system_instructions');
  if (instructions === undefined || prompt[0]?.role === 'system') return prompt;
  const content = readMessages(instructions, 'system').map((message) => ({ ...message, role: 'system' }));
  return [...content, ...prompt];
}
