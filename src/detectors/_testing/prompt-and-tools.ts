import type { ToolDefinition, Trace } from '../../core/trace.ts';

const PROMPT = 'You work for the help desk.\nBe friendly.';

/** The same run from a sender that also records system prompts and tool definitions. */
export function withPromptAndTools(trace: Trace): Trace {
  const system = { role: 'system', name: null, content: PROMPT, toolCalls: [], toolCallId: null };
  const steps = trace.steps.map((step) => ({ ...step, inputMessages: [system, ...step.inputMessages] }));
  const known = new Set(trace.toolDefinitions.map(({ name }) => name));
  const called = trace.steps.flatMap(({ tool }) => (tool === null || known.has(tool.name) ? [] : [tool.name]));
  const toolDefinitions = [...trace.toolDefinitions, ...[...new Set(called)].map(definitionOf)];
  return { ...trace, steps, toolDefinitions };
}

function definitionOf(name: string): ToolDefinition {
  return { name, description: `Does ${name}.`, parameters: { type: 'object', properties: {} } };
}
