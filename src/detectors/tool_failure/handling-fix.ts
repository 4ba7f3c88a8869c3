import type { Fix } from '../../core/detection.ts';
import type { Trace } from '../../core/trace.ts';
import type { FailedCall } from './failed-call.ts';
import { fixOf } from './remedy.ts';

/** A node or a model call has no agent that could react: the surrounding code must. */
export function handlingFix(
  { trace, failure: { name, what } }: FailedCall,
  { change, ...texts }: Pick<Fix, 'title' | 'description' | 'rationale'> & { change?: string | undefined },
): Fix {
  const code = trace.framework === 'langgraph' && what === 'step' ? fallbackCode(trace, name) : null;
  return fixOf(name, {
    fixType: 'workflow_change',
    ...texts,
    change:
      change ??
      code ??
      `when ${name} fails: continue with a fallback result, or stop and tell the user what could not be done`,
  });
}

/** Code in a node of a graph that leads its failure to another node. */
function fallbackCode({ language }: Trace, name: string): string {
  return language === 'javascript'
    ? `} catch (error) {  // in ${name}\n  return new Command({ goto: "fallback", update: { error: String(error) } });\n}`
    : `except Exception as error:  # in ${name}\n    return Command(goto="fallback", update={"error": str(error)})`;
}
