import type { Detection, TraceSummary } from '../../../client/misstep-client.generated.ts';
import { shortened } from '../../parts/shortened.ts';

type Run = Pick<TraceSummary, 'title' | 'name' | 'task'>;

const MAX_AGENT = 60;
const MAX_RUN = 100;

/** `guide, step 4 · Find the opening hours of the museum`. @param run undefined until it is loaded */
export function runText(
  { agent_id, agent_kind, step }: Pick<Detection, 'agent_id' | 'agent_kind' | 'step'>,
  run: Run | undefined,
): string {
  const where = [
    ...(agent_id === null ? [] : [`${agent_kind === 'node' ? 'node ' : ''}${shortened(agent_id, MAX_AGENT)}`]),
    step === null ? 'the run as a whole' : `step ${step}`,
  ].join(', ');
  if (run === undefined) return where;
  return `${where} · ${shortened(run.task ?? run.title ?? run.name, MAX_RUN)}`;
}
