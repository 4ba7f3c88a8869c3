import { closeSync, mkdirSync, openSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import type { HookFramework } from '../../formats/hooks/hook-framework.ts';
import { HOOK_CALLS_FOLDER } from '../../store/data-folder/entries.ts';

/** One empty file per agent, whose modification time is the time of the last hook call. */
function markOf(dataFolder: string, agent: HookFramework): string {
  return join(dataFolder, HOOK_CALLS_FOLDER, agent);
}

/** Records that an agent called its hook. Write errors are ignored. */
export function recordHookCall(dataFolder: string, agent: HookFramework, nowMs: number): void {
  const mark = markOf(dataFolder, agent);
  const time = nowMs / 1000;
  try {
    try {
      utimesSync(mark, time, time);
    } catch {
      mkdirSync(join(dataFolder, HOOK_CALLS_FOLDER), { recursive: true, mode: 0o700 });
      closeSync(openSync(mark, 'a', 0o600));
      utimesSync(mark, time, time);
    }
  } catch {
    // Without this time the hook still works.
  }
}

/** When an agent last called its hook, Unix milliseconds; null if unknown. */
export function lastHookCall(dataFolder: string, agent: HookFramework): number | null {
  return statSync(markOf(dataFolder, agent), { throwIfNoEntry: false })?.mtimeMs ?? null;
}
