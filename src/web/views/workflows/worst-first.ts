import type { Workflow } from '../../../client/misstep-client.generated.ts';

type Judged = Pick<Workflow, 'average_score' | 'open_issues'>;

/** The lowest mean score first; among equal scores, the most open issues. Workflows without a score are last. */
export function worstFirst<Item extends Judged>(workflows: readonly Item[]): Item[] {
  const scoreOf = ({ average_score }: Judged) => average_score ?? Number.MAX_SAFE_INTEGER;
  return workflows.toSorted((a, b) => scoreOf(a) - scoreOf(b) || b.open_issues - a.open_issues);
}
