import type { JsonObject } from '../../../src/core/json.ts';
import type { HookFramework } from '../../../src/formats/hooks/hook-framework.ts';
import type { SentLogs } from '../log-bodies.ts';

/** One hook call and when it arrives, Unix milliseconds. */
export interface HookCall {
  atMs: number;
  record: JsonObject;
}

/** One session in the format of each source of its agent. */
export interface SimulatedSession {
  agent: HookFramework;
  hooks: HookCall[];
  /** Text of the finished session file. */
  transcript: string;
  /** Bodies of `/v1/logs` in the order in which they are exported. */
  logs: SentLogs[];
}

export const LOGS_PER_BODY = 20;

/** Log records in bodies as a batching exporter sends them. */
export function logBodies(sent: SentLogs): SentLogs[] {
  const { records } = sent;
  const starts = Array.from({ length: Math.ceil(records.length / LOGS_PER_BODY) }, (_, at) => at * LOGS_PER_BODY);
  return starts.map((start) => ({ ...sent, records: records.slice(start, start + LOGS_PER_BODY) }));
}

export const jsonLinesOf = (lines: readonly JsonObject[]): string =>
  lines.map((line) => `${JSON.stringify(line)}\n`).join('');
