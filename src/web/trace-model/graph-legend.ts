interface Node {
  errors: number;
}

interface Edge {
  kind: string;
}

/** Explains the marks that a drawing contains, and no others. @param cycleCount how many edges are part of a cycle */
export function graphLegend(nodes: readonly Node[], edges: readonly Edge[], cycleCount: number): string {
  return [
    ...(cycleCount > 0 ? ['Thick arrows are part of a cycle.'] : []),
    ...(edges.some(({ kind }) => kind === 'handoff') ? ['Dashed arrows are handoffs.'] : []),
    ...(nodes.some(({ errors }) => errors > 0) ? ['A box with a dashed outline had failed steps.'] : []),
  ].join(' ');
}

/**
 * Why the rows of a graph have fewer steps than the run; null if they have all. A tool call is also a step of its agent, so
 * tools are not counted.
 */
export function uncountedSteps(nodes: readonly { kind: string; steps: number }[], total: number): string | null {
  const counted = nodes.reduce((sum, { kind, steps }) => sum + (kind === 'tool' ? 0 : steps), 0);
  const rest = total - counted;
  if (rest <= 0) return null;
  const others = rest === 1 ? '1 other step is in no row: it names' : `${rest} other steps are in no row: they name`;
  return `${others} neither an agent nor a tool, like the step of the run itself.`;
}
