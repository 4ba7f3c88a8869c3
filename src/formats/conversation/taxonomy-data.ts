import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';
import type { Rejection } from '../../core/span.ts';
import { derivedId, TRACE_ID_DIGITS } from '../misstep/derived-id.ts';
import type { ReadConversation, ReadTurn } from './conversation.ts';
import { labelOf } from './labels.ts';
import { readTrajectory } from './trajectory.ts';
import type { LoggedTurn } from './trajectory-logs.ts';

/**
 * A trace record of the MAST data set: `{mas_name, llm_name, benchmark_name, trace_id, trace: {key, index, trajectory}}`,
 * where `trace` may also be the log itself. Annotations are not read, so that no label can leak into the trace.
 */
export function readTaxonomyData(data: Json): ReadConversation {
  const record: JsonObject = isJsonObject(data) ? data : {};
  const { trace } = record;
  const isWrapped = isJsonObject(trace) && 'trajectory' in trace;
  const pointer = isWrapped ? '/trace/trajectory' : '/trace';
  const system = labelOf(record.mas_name) ?? 'agent';
  const { task, turns, rejected } = readTrajectory(isWrapped ? trace.trajectory : trace, system);
  return {
    format: 'taxonomy-data',
    traceId: recordId(record),
    name: null,
    framework: labelOf(record.mas_name)?.toLowerCase() ?? null,
    task,
    tools: [],
    turns: turns.map((turn) => toTurn(turn, labelOf(record.llm_name))),
    rejections: rejected.map(
      ({ at, why }): Rejection => ({ pointer: at === null ? pointer : `${pointer}/${at}`, message: why }),
    ),
  };
}

/** The data set restarts its trace numbers for every system, model and benchmark. */
function recordId({ mas_name, llm_name, benchmark_name, trace_id, round, trace }: JsonObject): string | null {
  if (trace_id === undefined || trace_id === null) return null;
  const key = isJsonObject(trace) ? (trace.key ?? null) : null;
  const parts = [mas_name, llm_name, benchmark_name, round, key, trace_id].map((part) => JSON.stringify(part ?? null));
  return derivedId(TRACE_ID_DIGITS, 'mast', ...parts);
}

function toTurn({ speaker, role, kind, content, atNs }: LoggedTurn, model: string | null): ReadTurn {
  const isNameless = kind === 'message' && /^(?:user|human|system)$/i.test(speaker);
  return {
    role,
    kind,
    participant: speaker,
    agent: isNameless ? null : speaker,
    content,
    thinking: '',
    toolCalls: [],
    answered: null,
    isError: false,
    atNs,
    model: kind === 'llm' ? model : null,
    usage: null,
    finishReason: null,
  };
}
