import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';
import { textIn } from './text-in.ts';

/**
 * A hook call posted by an OpenClaw plugin: `{hook, event, ctx, timestamp}`, the name of the hook, its two unmodified
 * arguments, and the time.
 */
export interface PluginHook {
  name: string;
  event: JsonObject;
  ctx: JsonObject;
}

/** Known session hooks. Those without a span are listed so that they are not rejected. */
const HOOKS = new Set(
  (
    'session_start session_end llm_input llm_output model_call_started model_call_ended before_tool_call after_tool_call ' +
    'agent_end before_agent_start before_agent_run before_agent_reply before_agent_finalize subagent_spawning ' +
    'subagent_spawned subagent_ended subagent_delivery_target before_compaction after_compaction before_reset ' +
    'message_received message_sending message_sent tool_result_persist before_message_write before_model_resolve ' +
    'before_prompt_build agent_turn_prepare'
  ).split(' '),
);

export function isPluginHook(value: Json | undefined): value is JsonObject {
  return isJsonObject(value) && typeof value.hook === 'string' && HOOKS.has(value.hook) && isJsonObject(value.event);
}

export function readPluginHook(value: JsonObject): PluginHook {
  const ctx = isJsonObject(value.ctx) ? value.ctx : {};
  return { name: value.hook as string, event: value.event as JsonObject, ctx };
}

/** Subagents are reported under the requesting session, which only has a key there. */
export function sessionOfHook({ event, ctx }: PluginHook): { id: string | null; key: string | null } {
  const key = textIn(ctx, 'sessionKey', 'requesterSessionKey') ?? textIn(event, 'sessionKey');
  return { id: textIn(ctx, 'sessionId') ?? textIn(event, 'sessionId'), key };
}

/** One run answers one prompt, with any number of model calls. */
export function runIdOf({ event, ctx }: PluginHook): string | null {
  return textIn(event, 'runId') ?? textIn(ctx, 'runId');
}
