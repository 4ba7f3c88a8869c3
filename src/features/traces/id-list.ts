import { z } from 'zod';

export const MAX_IDS = 50;

/** Ids in one query member, separated by commas. */
export const idList = z
  .string()
  .min(1)
  .transform((text) => text.split(','))
  .refine((ids) => ids.length <= MAX_IDS, { message: `at most ${MAX_IDS} ids` });
