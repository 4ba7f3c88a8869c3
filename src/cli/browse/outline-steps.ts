import type { OutputOf } from '../../features/_kit/operation.ts';
import type { getOutlineOperation } from '../../features/traces/trace.operations.ts';

/** One step of an outline. */
export interface OutlineStep {
  spanId: string;
  name: string;
  kind: string;
  agent: string | null;
  model: string | null;
  depth: number;
  durationMs: number | null;
  hasFailed: boolean;
}

const FAILED = '2';

export function toOutlineSteps(outline: OutputOf<typeof getOutlineOperation>): OutlineStep[] {
  const { columns, names, kinds, agents, models, total } = outline;
  const steps: OutlineStep[] = [];
  for (let at = 0; at < total; at += 1) {
    const back = columns.parent[at]!;
    const durationUs = columns.duration_us[at]!;
    steps.push({
      spanId: columns.span_id[at]!,
      name: names[columns.name[at]!]!,
      kind: kinds[Number(columns.kind[at])]!,
      agent: agents[columns.agent[at]!] ?? null,
      model: models[columns.model[at]!] ?? null,
      depth: back === 0 ? 0 : steps[at - back]!.depth + 1,
      durationMs: durationUs === null ? null : durationUs / 1_000,
      hasFailed: columns.status[at] === FAILED,
    });
  }
  return steps;
}
