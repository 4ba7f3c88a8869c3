import { z } from 'zod';

/** Marks, in the JSON Schema of a response, text that is shown once and never stored in plain text. */
export const SECRET_MARK = 'x-secret';

export function secretText(description: string) {
  return z.string().meta({ description, [SECRET_MARK]: true });
}
