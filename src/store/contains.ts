import { type RawBuilder, sql } from 'kysely';

/** Both sides are lowered by the database, whose `lower` may cover other letters than JavaScript's. */
export function contains(texts: RawBuilder<string>, text: string): RawBuilder<boolean> {
  return sql<boolean>`lower(${texts}) like lower(${`%${escaped(text)}%`}) escape '\\'`;
}

/** For a pattern of `like`. */
export function escaped(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}
