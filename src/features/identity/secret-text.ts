import { z } from 'zod';

/** Marks, in the JSON Schema of an answer, text that is shown once and never kept in the clear. */
export const SECRET_MARK = 'x-secret';

export function secretText(description: string) {
  return z.string().meta({ description, [SECRET_MARK]: true });
}
