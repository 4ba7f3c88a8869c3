import type { StepView } from './step-view.ts';

/** How the agents of a run work together; each shape has its own ranking model. */
export type RunShape = 'group' | 'orchestrated' | 'single' | 'other';

export const RUN_SHAPES: readonly RunShape[] = ['group', 'orchestrated', 'single', 'other'];

/** From who speaks alone, never from the sender's name: several peers, someone who plans for others, or one agent. */
export function runShape(views: readonly StepView[]): RunShape {
  const models = views.filter(({ act }) => act.kind === 'llm');
  const agents = new Set(models.map(({ act }) => act.agent));
  const isPlanned = models.some(({ act }) => act.role === 'planner');
  if (agents.size === 0 || isNested(views)) return 'other';
  if (agents.size === 1) return 'single';
  return isPlanned ? 'orchestrated' : 'group';
}

/** Agents that call agents several levels deep look like none of the runs the models have seen. */
function isNested(views: readonly StepView[]): boolean {
  return views.some(({ act }) => act.depth > DEEPEST);
}

const DEEPEST = 3;
