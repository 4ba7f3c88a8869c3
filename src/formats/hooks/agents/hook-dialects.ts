import { isJsonObject, type Json, type JsonObject } from '../../../core/json.ts';
import type { HookFramework } from '../hook-framework.ts';
import { COPILOT_CLI } from './copilot-cli.ts';
import { GEMINI_CLI } from './gemini-cli.ts';
import type { HookDialect } from './hook-dialect.ts';
import { QWEN_CODE } from './qwen-code.ts';

/** Agents whose records differ from the common format, the most certain match first. */
const DIALECTS: readonly HookDialect[] = [GEMINI_CLI, QWEN_CODE, COPILOT_CLI];

export interface CommonRecord {
  record: JsonObject;
  /** Null if the form of the record does not identify the agent. */
  framework: HookFramework | null;
  hasNoIds: boolean;
}

/** @param agent the calling agent, if known */
export function toCommonRecord(record: JsonObject, agent: HookFramework | null): CommonRecord {
  const found = DIALECTS.find(({ framework, isOf }) => (agent === null ? isOf(record) : framework === agent));
  if (found === undefined) return { record, framework: agent, hasNoIds: false };
  return { record: found.toCommon(record), framework: found.framework, hasNoIds: found.hasNoIds };
}

/** Whether a value is a hook call without an event name and `session_id`, identified only by its other members. */
export function isUnnamedHook(value: Json | undefined): boolean {
  return (
    isJsonObject(value) && !('session_id' in value) && typeof value.sessionId === 'string' && COPILOT_CLI.isOf(value)
  );
}
