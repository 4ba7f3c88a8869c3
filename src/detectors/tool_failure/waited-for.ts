import type { Step, Trace } from '../../core/trace.ts';
import type { Failure } from './failure.ts';

/** What a run waited for when its time limit ended it. */
export interface Waited {
  name: string;
  /** Null if the trace contains no step of it. */
  step: number | null;
  text: string;
  /** Whether the trace shows that it filled the time up to the limit: the error names it, or its step lasted until then. */
  isOpen: boolean;
  /** Milliseconds that its settings let it pause; null if it does not pause for a fixed time. */
  pauseMs: number | null;
}

/** The node that the error names, or the last step that started inside the one that timed out; null if neither is known. */
export function waitedFor(trace: Trace, { step, name, text }: Pick<Failure, 'step' | 'name' | 'text'>): Waited | null {
  const named = (trace.graph?.nodes ?? [])
    .filter((node) => node.name !== name && node.name !== '' && text.message.includes(node.name))
    .sort((a, b) => b.name.length - a.name.length)[0];
  if (named !== undefined) {
    const at = trace.steps.findLast(({ index, ...each }) => index !== step && (each.node ?? each.name) === named.name);
    return {
      name: named.name,
      step: at?.index ?? null,
      text: `${named.name}${at === undefined ? '' : ` (step ${at.index})`}`,
      isOpen: true,
      pauseMs: named.pauseMs ?? null,
    };
  }
  const inside = trace.steps.findLast(({ parent }) => parent === step);
  if (inside === undefined) return null;
  const own = inside.node ?? inside.name;
  return {
    name: own,
    step: inside.index,
    text: `${own} (step ${inside.index}), the last step that had started`,
    isOpen: reachesEnd(inside, trace.steps[step]!),
    pauseMs: trace.graph?.nodes.find((node) => node.name === own)?.pauseMs ?? null,
  };
}

/** A runtime may record that it interrupted a step milliseconds before it ended the run. */
const MAX_GAP = 0.05;

function reachesEnd(inside: Step, { startMs, endMs }: Step): boolean {
  if (inside.endMs === null) return true;
  return startMs !== null && endMs !== null && endMs - inside.endMs <= MAX_GAP * (endMs - startMs);
}
