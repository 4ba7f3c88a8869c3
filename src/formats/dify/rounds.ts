import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';
import { MISSTEP } from '../misstep/attributes.ts';
import { numberIn, objectIn, textIn } from './run-shape.ts';

/** Round facts of an iteration or a loop, from its start or end event; null for unknown values. */
export function roundsOf(type: string, data: JsonObject): Record<string, Json> {
  if (type === 'iteration') return iterationRounds(data);
  return type === 'loop' ? loopRounds(data) : {};
}

function iterationRounds(data: JsonObject): Record<string, Json> {
  const planned = numberIn(objectIn(data, 'metadata'), 'iterator_length') ?? lengthOf(data.inputs);
  const results = objectIn(data, 'outputs').output;
  return {
    [MISSTEP.roundsKind]: 'items',
    [MISSTEP.roundsPlanned]: planned,
    [MISSTEP.roundsReturned]: Array.isArray(results) ? returnedOf(results, planned) : null,
  };
}

/** The iterated list is under `iterator_selector`, or is the only input list. */
function lengthOf(inputs: Json | undefined): number | null {
  if (!isJsonObject(inputs)) return null;
  const lists = Object.values(inputs).filter((value): value is Json[] => Array.isArray(value));
  const list = Array.isArray(inputs.iterator_selector)
    ? inputs.iterator_selector
    : lists.length === 1
      ? lists[0]
      : null;
  return list?.length ?? null;
}

/** The result lists of the rounds may have been flattened: more results than rounds say nothing about single rounds. */
function returnedOf(results: Json[], planned: number | null): number | null {
  return planned !== null && results.length > planned ? null : results.filter((result) => result !== null).length;
}

/** `loop_break` means that a condition was met; an exit node in the loop only reduces the number of rounds. */
function loopRounds(data: JsonObject): Record<string, Json> {
  const planned =
    numberIn(objectIn(data, 'metadata'), 'loop_length') ?? numberIn(objectIn(data, 'inputs'), 'loop_count');
  const run = numberIn(objectIn(data, 'outputs'), 'loop_round');
  const reason = textIn(objectIn(data, 'execution_metadata'), 'completed_reason');
  const isFull = run === null || planned === null ? null : run >= planned;
  return {
    [MISSTEP.roundsKind]: 'loop',
    [MISSTEP.roundsPlanned]: planned,
    [MISSTEP.roundsRun]: run,
    // The end event of a node does not repeat the reason; only that of the loop contains it.
    [MISSTEP.roundsLeftEarly]:
      reason === 'loop_break' ? true : isFull === false ? true : reason === null ? null : !isFull,
  };
}
