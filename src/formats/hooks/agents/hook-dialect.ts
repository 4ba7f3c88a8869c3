import type { JsonObject } from '../../../core/json.ts';
import type { HookFramework } from '../hook-framework.ts';

/** How one agent's hook records differ from the common spelling, which is Claude Code's. */
export interface HookDialect {
  framework: HookFramework;
  /** Calls and prompts have no ids: the end of a call is joined with its beginning by order. */
  hasNoIds: boolean;
  /** Whether a record looks like this agent's. */
  isOf(record: JsonObject): boolean;
  /** The record in the common spelling; the same one where nothing differs. */
  toCommon(record: JsonObject): JsonObject;
}
