import type { TraceOutline } from '../../src/client/misstep-client.generated.ts';

/** A step of a trace in a test. Times are microseconds; `parent` is an index. */
export interface TestStep {
  parent?: number;
  name?: string;
  kind?: string;
  agent?: string;
  model?: string;
  start?: number | null;
  duration?: number | null;
  isError?: boolean;
  repeat?: number;
}

/** The outline that the server sends for these steps. */
export function outlineOfSteps(steps: readonly TestStep[]): TraceOutline {
  const [names, kinds, agents, models] = [new Texts(), new Texts(), new Texts(), new Texts()];
  const columns = {
    span_id: steps.map((_, step) => `span-${step}`),
    parent: steps.map(({ parent }, step) => (parent === undefined ? 0 : step - parent)),
    name: steps.map(({ name = 'step' }) => names.placeOf(name)),
    kind: steps.map(({ kind = 'tool' }) => kinds.placeOf(kind)).join(''),
    agent: steps.map(({ agent }) => agents.placeOf(agent)),
    model: steps.map(({ model }) => models.placeOf(model)),
    start_us: differences(steps.map(({ start = 0 }) => start)),
    duration_us: steps.map(({ duration = 0 }) => duration),
    status: steps.map(({ isError }) => (isError ? 2 : 1)).join(''),
    tokens: steps.map(() => 0),
    repeat: steps.map(({ repeat = 0 }) => repeat),
  };
  return {
    trace_id: 'trace',
    total: steps.length,
    base_unix_us: '1700000000000000',
    names: names.values,
    kinds: kinds.values,
    agents: agents.values,
    models: models.values,
    columns,
  };
}

function differences(starts: readonly (number | null)[]): (number | null)[] {
  let before = 0;
  return starts.map((start) => {
    if (start === null) return null;
    const difference = start - before;
    before = start;
    return difference;
  });
}

class Texts {
  readonly values: string[] = [];

  placeOf(text: string | undefined): number {
    if (text === undefined) return -1;
    const known = this.values.indexOf(text);
    return known >= 0 ? known : this.values.push(text) - 1;
  }
}
