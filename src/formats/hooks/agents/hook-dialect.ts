import type { JsonObject } from '../../../core/json.ts';
import type { HookFramework } from '../hook-framework.ts';

/** How one agent's hook records differ from the common format, which is Claude Code's. */
export interface HookDialect {
  framework: HookFramework;
  /** Calls and prompts have no ids: the end of a call is joined with its start by order. */
  hasNoIds: boolean;
  /** Whether a record looks like this agent's. */
  isOf(record: JsonObject): boolean;
  /** The record in the common format; the same object if it already is. */
  toCommon(record: JsonObject): JsonObject;
}
