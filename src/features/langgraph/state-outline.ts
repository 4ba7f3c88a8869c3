import { isJsonObject, type JsonObject } from '../../core/json.ts';

/** The fields of a state that identify its position. */
export interface StateOutline {
  /** Its index in the page. */
  at: number;
  id: string | null;
  parentId: string | null;
  runId: string | null;
  /** A run begins with it. */
  isBeginning: boolean;
  /** Subgraphs that its tasks ran. */
  namespaces: string[];
}

/** Maximum subgraphs read per run. */
export const MAX_NAMESPACES = 100;

export function outlineOf(state: JsonObject, at: number): StateOutline {
  const { metadata } = state;
  return {
    at,
    id: checkpointIdIn(state, 'checkpoint'),
    parentId: checkpointIdIn(state, 'parent_checkpoint'),
    runId: isJsonObject(metadata) && typeof metadata.run_id === 'string' ? metadata.run_id : null,
    isBeginning: !isJsonObject(metadata) || metadata.source === 'input',
    namespaces: namespacesIn(state),
  };
}

function checkpointIdIn(state: JsonObject, member: 'checkpoint' | 'parent_checkpoint'): string | null {
  const checkpoint = state[member];
  return isJsonObject(checkpoint) && typeof checkpoint.checkpoint_id === 'string' ? checkpoint.checkpoint_id : null;
}

/** The server names a namespace only for a task that succeeded; for a failed one it is derived from the task. */
function namespacesIn(state: JsonObject): string[] {
  const outside = isJsonObject(state.checkpoint) ? state.checkpoint.checkpoint_ns : '';
  const prefix = typeof outside === 'string' && outside !== '' ? `${outside}|` : '';
  const tasks = Array.isArray(state.tasks) ? state.tasks.filter(isJsonObject) : [];
  return tasks
    .flatMap(({ checkpoint, error, name, id }) => {
      const namespace = isJsonObject(checkpoint) ? checkpoint.checkpoint_ns : undefined;
      if (typeof namespace === 'string' && namespace !== '') return [namespace];
      return error === null || error === undefined ? [] : [`${prefix}${name}:${id}`];
    })
    .slice(0, MAX_NAMESPACES);
}
