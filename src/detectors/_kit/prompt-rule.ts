import type { FixChange } from '../../core/detection.ts';
import type { Trace } from '../../core/trace.ts';
import { lineAdded } from './patch.ts';

/** A rule added to an agent's instructions: a diff against its system prompt if the trace contains it, else the text. */
export function addedRule(trace: Trace, agent: string | null, rule: string): FixChange {
  const target = `${agent ?? 'agent'} instructions`;
  const prompt = systemPrompt(trace, agent) ?? '';
  return lineAdded(target, 'system-prompt', prompt, rule) ?? { target, format: 'text', before: null, after: rule };
}

/** The first instruction of the agent; undefined if the trace does not contain it. */
export function systemPrompt(trace: Trace, agent: string | null): string | undefined {
  const call = trace.steps.find((step) => step.agent === agent && isInstruction(step.inputMessages[0]?.role));
  return call?.inputMessages[0]?.content ?? instructionOfAll(trace);
}

/** A system message in a step of its own. Its receiver is known if only one agent answers. */
function instructionOfAll({ steps }: Trace): string | undefined {
  const instructions = steps.flatMap(({ outputMessages }) => outputMessages.filter(({ role }) => isInstruction(role)));
  const answering = new Set(steps.filter(({ kind }) => kind === 'llm').map(({ agent }) => agent));
  return instructions.length === 1 && answering.size === 1 ? instructions[0]!.content : undefined;
}

function isInstruction(role: string | undefined): boolean {
  return role === 'system' || role === 'developer';
}
