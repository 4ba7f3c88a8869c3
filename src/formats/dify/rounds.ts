import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';
import { MISSTEP } from '../misstep/attributes.ts';
import { numberIn, objectIn, textIn } from './run-shape.ts';

/** What an iteration or a loop tells of its rounds, from its beginning or its end; nulls where it tells nothing. */
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

/** The list that is gone through stands under `iterator_selector`, or is the only list given. */
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

/** Lists that the rounds returned may have been made one: more results than rounds say nothing of single ones. */
function returnedOf(results: Json[], planned: number | null): number | null {
  return planned !== null && results.length > planned ? null : results.filter((result) => result !== null).length;
}

/** `loop_break` means that a condition was met; an exit node in the loop shows only in fewer rounds. */
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
    // A node's end does not repeat the reason; only the loop's own does.
    [MISSTEP.roundsLeftEarly]:
      reason === 'loop_break' ? true : isFull === false ? true : reason === null ? null : !isFull,
  };
}
