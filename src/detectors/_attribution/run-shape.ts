import type { StepView } from './step-view.ts';

/** How the agents of a run work together. Each shape has a ranking model of its own. */
export type RunShape = 'group' | 'orchestrated' | 'single' | 'other';

export const RUN_SHAPES: readonly RunShape[] = ['group', 'orchestrated', 'single', 'other'];

/**
 * Derived only from which agents act, never from the sender's name: several peers, an agent that plans for others, or a
 * single agent.
 */
export function runShape(views: readonly StepView[]): RunShape {
  const models = views.filter(({ act }) => act.kind === 'llm');
  const agents = new Set(models.map(({ act }) => act.agent));
  const isPlanned = models.some(({ act }) => act.role === 'planner');
  if (agents.size === 0 || isNested(views)) return 'other';
  if (agents.size === 1) return 'single';
  return isPlanned ? 'orchestrated' : 'group';
}

/** Whether agents call agents over several levels; the models were fitted to no such runs. */
function isNested(views: readonly StepView[]): boolean {
  return views.some(({ act }) => act.depth > MAX_DEPTH);
}

const MAX_DEPTH = 3;
