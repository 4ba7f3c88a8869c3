import { isJsonObject, type Json } from '../../core/json.ts';
import type { CallRefusal } from '../../core/trace.ts';
import { exitCodeIn, refusalIn } from '../claude-code/tool-result.ts';
import { MISSTEP } from '../misstep/attributes.ts';
import type { HookEvent } from './hook-event.ts';

/** The error flag of the program: only some programs have an event for failed calls. */
export function toolOutcome({
  kind,
  framework,
  error,
  exitCode,
  durationMs,
  toolResult,
}: HookEvent): Record<string, Json> {
  const failed = kind === 'tool_failure' || error !== null;
  const isFlagged = failed || framework === 'claude-code';
  const refusal = error === null ? null : refusalOf(error);
  return {
    [MISSTEP.isTimeMeasured]: kind === 'tool_start' || durationMs === null ? null : true,
    [MISSTEP.toolIsError]: kind === 'tool_start' || !isFlagged ? null : failed,
    [MISSTEP.toolExitCode]: exitCode ?? (error === null ? null : exitCodeIn(error.message)),
    [MISSTEP.refusedBy]: refusal?.by ?? null,
    [MISSTEP.refusalReason]: refusal?.reason ?? null,
    [MISSTEP.subagentId]:
      isJsonObject(toolResult) && typeof toolResult.agentId === 'string' ? toolResult.agentId : null,
  };
}

function refusalOf({ type, message }: { type: string; message: string }): CallRefusal | null {
  return type === 'permission_denied' ? { by: 'policy', reason: message || null } : refusalIn(message);
}
