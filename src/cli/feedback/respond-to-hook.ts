import { canonicalJson, isJsonObject, type Json, parseJson } from '../../core/json.ts';
import { withoutVolatile } from '../../detectors/_kit/normalise.ts';
import { isReadOnlyCommand } from '../../detectors/_readings/shell/shell.ts';
import { type HookEvent, readHookEvent } from '../../formats/hooks/hook-event.ts';
import type { HookFramework } from '../../formats/hooks/hook-framework.ts';
import { resultText } from '../../formats/hooks/result-text.ts';
import { printableLine } from '../views/printable.ts';
import { type RecordedCall, type Repetition, repetitionAtEnd } from './repetition.ts';
import { recordCall } from './session-memory.ts';
import { textHash } from './text-hash.ts';

/**
 * Response to a hook about a finished tool call: JSON with a warning if the agent repeats itself,
 * otherwise null. It contains no decision: the agent reads it as context.
 */
export function respondToHook(
  body: Buffer,
  { agent, dataFolder, nowMs }: { agent: HookFramework | null; dataFolder: string; nowMs: number },
): string | null {
  const record = parseJson(body.toString('utf8'));
  const event = record === undefined ? 'no JSON' : readHookEvent(record, nowMs, agent);
  if (typeof event === 'string' || event.toolName === null || !TOOL_ENDS.has(event.kind)) return null;
  const name = isJsonObject(record) && typeof record.hook_event_name === 'string' ? record.hook_event_name : null;
  if (name === null || event.framework === 'cursor') return null;
  const calls = recordCall(dataFolder, event.sessionId, toCall(event, event.toolName), nowMs);
  const repetition = repetitionAtEnd(calls);
  if (repetition === null) return null;
  return JSON.stringify({
    hookSpecificOutput: { hookEventName: name, additionalContext: warningOf(repetition) },
  });
}

const TOOL_ENDS: ReadonlySet<string> = new Set<HookEvent['kind']>(['tool_end', 'tool_failure']);

function toCall(event: HookEvent, tool: string): RecordedCall {
  const result = event.error === null ? textOf(event.toolResult) : event.error.message;
  return {
    agent: event.agentId ?? '',
    prompt: event.promptId ?? '',
    tool,
    call: textHash(`${tool} ${canonicalJson(event.toolInput)}`),
    result: textHash(withoutVolatile(result)),
    hasFailed: event.error !== null,
    hasChanged: changesSomething(event, tool),
  };
}

const READING_TOOL = /^(?:read|grep|glob|ls|list|search|find|view|fetch|get|web)/i;

function changesSomething({ toolInput }: HookEvent, tool: string): boolean {
  const command = isJsonObject(toolInput) ? toolInput.command : null;
  return typeof command === 'string' ? !isReadOnlyCommand(command) : !READING_TOOL.test(tool);
}

function textOf(result: Json): string {
  return result === null ? '' : resultText(result);
}

const MAX_NAME_CHARACTERS = 80;

function warningOf({ kind, tool, count }: Repetition): string {
  const name = printableLine(tool).slice(0, MAX_NAME_CHARACTERS);
  const what =
    kind === 'same_call'
      ? `${name} was called ${count} times with the same arguments and gave the same result each time`
      : `${name} failed ${count} times with the same error`;
  return `Misstep: ${what}, and nothing was changed in between. Another call will give the same result: try another way, or say what is missing.`;
}
