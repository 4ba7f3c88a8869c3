import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';
import { textIn } from './text-in.ts';

/** A finished run of a scheduled job, as posted by OpenClaw's cron: its `finished` event, or the alert that it failed. */
export function isCronRun(value: Json | undefined): value is JsonObject {
  if (!isJsonObject(value) || typeof value.jobId !== 'string' || value.jobId === '') return false;
  return isFinished(value) || isFailureAlert(value);
}

function isFinished(value: JsonObject): boolean {
  return value.action === 'finished' && typeof value.status === 'string';
}

export function isFailureAlert(value: JsonObject): boolean {
  return typeof value.jobName === 'string' && typeof value.message === 'string' && !('action' in value);
}

/** A run in a separate session belongs to that session; any other run is identified by its job and time. */
export function sessionOfCronRun(value: JsonObject, atMs: number): { id: string; key: string | null } {
  const id = textIn(value, 'sessionId') ?? `cron:${value.jobId}:${runAtOf(value) ?? atMs}`;
  return { id, key: textIn(value, 'sessionKey') ?? `cron:${value.jobId}` };
}

/** Unix milliseconds of the run's start; null if unknown. */
export function runAtOf({ runAtMs }: JsonObject): number | null {
  return typeof runAtMs === 'number' && runAtMs > 0 && runAtMs < 1e14 ? runAtMs : null;
}
