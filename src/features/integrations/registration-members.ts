import { z } from 'zod';
import type { Json, JsonObject } from '../../core/json.ts';
import type { IntegrationSource, RegistrationKind } from './integration-source.ts';
import { rejectField } from './registration-change.ts';

/** The fields of all kinds besides the common ones, all optional: which of them a registration has depends on its kind. */
export function memberShape(sources: readonly IntegrationSource[]): z.ZodRawShape {
  const shape: Record<string, z.ZodType> = {};
  for (const { kinds } of sources)
    for (const kind of kinds) {
      const parent = kinds.find(({ name }) => name === kind.parent?.kind);
      for (const name of Object.keys(kind.details))
        shape[name] ??= z.json().optional().describe('As for registering; of the kinds that have it');
      for (const name of Object.keys(kind.credentials))
        shape[name] ??= z.string().min(1).max(4_096).nullable().optional().describe('A credential; null deletes it');
      if (parent)
        shape[parent.idName] ??= z.string().max(100).nullable().optional().describe(`A registered ${parent.name}`);
    }
  return shape;
}

export interface ChangedMembers {
  details: Record<string, Json>;
  credentials: Record<string, string | null>;
  /** Undefined if unchanged. */
  parentId: string | null | undefined;
}

/** Sorts the fields of a body by category. @throws AppError `invalid_body` for one that the kind does not have */
export function sortMembers(
  members: JsonObject,
  kind: RegistrationKind,
  parent: RegistrationKind | null,
): ChangedMembers {
  const sorted: ChangedMembers = { details: {}, credentials: {}, parentId: undefined };
  for (const [name, value] of Object.entries(members)) {
    if (value === undefined) continue;
    if (name in kind.details) sorted.details[name] = value;
    else if (name in kind.credentials) sorted.credentials[name] = value as string | null;
    else if (name === parent?.idName) sorted.parentId = value as string | null;
    else rejectField(`/${name}`, `a registration of kind ${kind.name} has no such member`);
  }
  if (sorted.parentId === null && kind.parent?.isRequired) rejectField(`/${parent!.idName}`, 'is needed');
  return sorted;
}
