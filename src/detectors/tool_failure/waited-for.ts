import type { Trace } from '../../core/trace.ts';
import type { Failure } from './failure.ts';

/** The node that the error names, or the last step that started inside the one that timed out; null if neither is known. */
export function waitedFor(
  trace: Trace,
  { step, name, text }: Pick<Failure, 'step' | 'name' | 'text'>,
): { name: string; text: string } | null {
  const named = trace.graph?.nodes.find((node) => node.name !== name && text.message.includes(node.name));
  if (named !== undefined) return { name: named.name, text: named.name };
  const inside = trace.steps.findLast(({ parent }) => parent === step);
  if (inside === undefined) return null;
  const own = inside.node ?? inside.name;
  return { name: own, text: `${own} (step ${inside.index}), the last step that had started` };
}
