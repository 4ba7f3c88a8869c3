import { z } from 'zod';
import { AppError } from '../../core/app-error.ts';
import type { FieldError } from '../../core/field-error.ts';
import type { JsonObject } from '../../core/json.ts';
import type { AnyExecutor } from '../../platforms/healing/executor.ts';
import type { HealingOperationTable } from '../../store/healing-tables.ts';
import { fieldErrorsOf } from '../_kit/field-errors.ts';
import type { Cipher } from '../integrations/cipher.ts';
import type { ShownTarget } from './healing.record.ts';

/** Manual: the plan is shown, and a person reports the outcome. */
export const MANUAL = 'manual';

const manualTarget = z.strictObject({ description: z.string().max(1_000).optional() });

/** The columns that identify the target. */
type TargetRow = Pick<HealingOperationTable, 'operation_id' | 'executor' | 'target' | 'changes'>;

export interface Executors {
  /** Null for a manual change. @throws AppError `conflict` if the executor no longer exists */
  of(row: Pick<HealingOperationTable, 'executor'>): AnyExecutor | null;
  /** @throws AppError `invalid_body` for an unknown name, or an invalid target */
  parse(name: string, target: JsonObject): { executor: AnyExecutor | null; target: JsonObject };
  /** The target as stored: encrypted if it may hold secrets. */
  seal(row: TargetRow): string;
  /** @throws AppError `conflict` if it was encrypted with a lost key */
  targetOf(row: TargetRow): JsonObject;
  show(row: TargetRow): ShownTarget;
}

/** @throws Error for a duplicate name */
export function createExecutors(list: readonly AnyExecutor[], cipher: Cipher): Executors {
  const byName = new Map(list.map((executor) => [executor.name, executor]));
  if (byName.size !== list.length || byName.has(MANUAL)) throw new Error('two healing executors have the same name');
  const names = [MANUAL, ...byName.keys()];

  function targetOf({ operation_id: id, target: text }: TargetRow): JsonObject {
    const target = JSON.parse(text) as JsonObject | string;
    return typeof target === 'string' ? (JSON.parse(cipher.open(target, id)) as JsonObject) : target;
  }

  return {
    seal({ operation_id: id, executor: name, target }) {
      return byName.get(name)?.masked === undefined ? target : JSON.stringify(cipher.seal(target, id));
    },
    targetOf,
    of({ executor: name }) {
      if (name === MANUAL) return null;
      const executor = byName.get(name);
      if (executor) return executor;
      throw new AppError('conflict', `The executor ${name} no longer exists.`);
    },
    parse(name, target) {
      const executor = byName.get(name) ?? null;
      if (executor === null && name !== MANUAL)
        rejectBody([{ pointer: '/executor', message: `does not exist; known executors: ${names.join(', ')}` }]);
      const parsed = (executor?.target ?? manualTarget).safeParse(target);
      if (!parsed.success) rejectBody(fieldErrorsOf(parsed.error, ['target']));
      return { executor, target: parsed.data as JsonObject };
    },
    show(row) {
      const { executor: name, changes } = row;
      const executor = byName.get(name);
      const target = readable(() => targetOf(row));
      if (executor && target)
        return { target: (executor.masked?.(target) ?? target) as JsonObject, text: executor.describe(target) };
      // The target of an executor that no longer exists may hold secrets, and one under a lost key cannot be read.
      if (name !== MANUAL || target === null) return { target: {}, text: name };
      const places = (JSON.parse(changes) as { target: string }[]).map((change) => change.target);
      return { target, text: String(target.description ?? [...new Set(places)].join(', ')) };
    },
  };
}

function readable(read: () => JsonObject): JsonObject | null {
  try {
    return read();
  } catch {
    return null;
  }
}

function rejectBody(errors: FieldError[]): never {
  throw new AppError('invalid_body', 'Request body failed validation.', { errors });
}
