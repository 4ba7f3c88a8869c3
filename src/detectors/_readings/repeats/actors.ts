import type { Step, Trace } from '../../../core/trace.ts';

/** One turn of a graph node or an agent. */
export interface Turn {
  step: number;
  /** Node or agent. */
  actor: string;
  output: string;
  /** Step that contains the output: the turn itself, or a step inside it. */
  outputStep: number;
}

/** Fewer agent spans are wrappers of a run, not turns. */
const MIN_AGENT_SPANS = 3;

/**
 * Turns in order: of graph nodes if the trace has them, else of agent spans, else of the agents of messages and model
 * answers. A turn without text has the last text that was written inside it.
 */
export function turnsOf(trace: Trace): Turn[] {
  const acting = actingSteps(trace);
  return acting.map((step, at) => {
    const end = acting[at + 1]?.index ?? trace.steps.length;
    const source = (step.output === '' ? answerInside(trace, step, end) : null) ?? step;
    const actor = step.node ?? step.agent ?? step.name;
    return { step: step.index, actor, output: source.output, outputStep: source.index };
  });
}

function actingSteps(trace: Trace): Step[] {
  const nodes = trace.steps.filter((step) => isNodeTurn(trace, step));
  if (nodes.length > 0) return nodes;
  const agents = trace.steps.filter((step) => isAgentTurn(trace, step));
  return agents.length >= MIN_AGENT_SPANS ? agents : trace.steps.filter(isSpoken);
}

/** Whether a span is the turn of a node. Spans inside a node also carry its name; only the outermost is a turn. */
function isNodeTurn(trace: Trace, step: Step): boolean {
  if (step.node === null || step.node.startsWith('__')) return false;
  return step.parent === null || trace.steps[step.parent]!.node !== step.node;
}

/** The outermost span of an agent below another span. */
function isAgentTurn(trace: Trace, step: Step): boolean {
  if (step.agent === null || step.parent === null || (step.kind !== 'agent' && step.kind !== 'chain')) return false;
  return trace.steps[step.parent]!.agent !== step.agent;
}

function answerInside(trace: Trace, { index }: Step, end: number): Step | null {
  for (let at = end - 1; at > index; at -= 1) {
    const inner = trace.steps[at]!;
    if (inner.kind === 'llm' && inner.output !== '' && (inner.parent ?? -1) >= index) return inner;
  }
  return null;
}

function isSpoken(step: Step): boolean {
  return (step.kind === 'llm' || isMessage(step)) && step.agent !== null && step.output !== '';
}

/** Whether a step is a message that no model call represents: a user turn, a system text, or a message in a group chat. */
export function isMessage(step: Step): boolean {
  return step.kind === 'message' || (step.kind === 'other' && step.outputMessages.length > 0);
}

export function isUserTurn(step: Step): boolean {
  return (
    isMessage(step) && step.output !== '' && [step.name, step.agent, step.outputMessages[0]?.role].includes('user')
  );
}
