import type { FixChange } from '../../core/detection.ts';
import type { Trace } from '../../core/trace.ts';
import { lineAdded } from './patch.ts';

/** A rule added to an agent's instructions: a diff against its system prompt if the trace contains it, else the text. */
export function addedRule(trace: Trace, agent: string | null, rule: string): FixChange {
  const target = `${agent ?? 'agent'} instructions`;
  const prompt = systemPrompt(trace, agent) ?? '';
  return lineAdded(target, 'system-prompt', prompt, rule) ?? { target, format: 'text', before: null, after: rule };
}

/** The first instruction that the agent received; undefined if the trace does not contain it. */
export function systemPrompt(trace: Trace, agent: string | null): string | undefined {
  for (const step of trace.steps) {
    const instruction = step.agent === agent ? step.inputMessages.find(({ role }) => isInstruction(role)) : undefined;
    if (instruction !== undefined) return instruction.content;
  }
  return instructionOfAll(trace);
}

/** A system message in a step of its own. Its receiver is known if only one agent answers. */
function instructionOfAll({ steps }: Trace): string | undefined {
  const instructions = steps.flatMap(({ outputMessages }) => outputMessages.filter(({ role }) => isInstruction(role)));
  const answering = new Set(steps.filter(({ kind }) => kind === 'llm').map(({ agent }) => agent));
  return instructions.length === 1 && answering.size === 1 ? instructions[0]!.content : undefined;
}

function isInstruction(role: string): boolean {
  return role === 'system' || role === 'developer';
}
