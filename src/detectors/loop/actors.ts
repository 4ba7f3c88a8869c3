import type { Step, Trace } from '../../core/trace.ts';

/** One turn of a graph node or an agent. */
export interface Turn {
  step: number;
  /** Node or agent. */
  actor: string;
  output: string;
}

/** Who acted, in order: graph nodes where the trace has them, else the agents of messages and model answers. */
export function turnsOf(trace: Trace): Turn[] {
  const nodes = trace.steps.filter((step) => isNodeTurn(trace, step));
  const acting = nodes.length > 0 ? nodes : trace.steps.filter(isSpoken);
  return acting.map((step) => ({ step: step.index, actor: step.node ?? step.agent ?? step.name, output: step.output }));
}

/** Spans inside a node carry its name too; only the outermost is a turn. */
function isNodeTurn(trace: Trace, step: Step): boolean {
  if (step.node === null || step.node.startsWith('__')) return false;
  return step.parent === null || trace.steps[step.parent]!.node !== step.node;
}

function isSpoken(step: Step): boolean {
  return (step.kind === 'llm' || isMessage(step)) && step.agent !== null && step.output !== '';
}

/** A message that no model call stands for: a user's turn, a system text, a line in a group chat. */
export function isMessage(step: Step): boolean {
  return step.kind === 'message' || (step.kind === 'other' && step.outputMessages.length > 0);
}

export function isUserTurn(step: Step): boolean {
  return (
    isMessage(step) && step.output !== '' && [step.name, step.agent, step.outputMessages[0]?.role].includes('user')
  );
}
