import { z } from 'zod';

/** A name that lists and terminals can show: trimmed, without control characters and broken surrogates. */
export const displayName = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .regex(/^[^\p{Cc}\p{Cs}]*$/u, 'must not hold control characters');
