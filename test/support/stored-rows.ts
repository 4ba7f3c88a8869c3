import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';

/** Runs a query on the database of a data folder while a server has it open. */
export function storedRows<Row>(dataFolder: string, query: string, ...values: unknown[]): Row[] {
  const database = new BetterSqlite3(join(dataFolder, 'misstep.db'), { readonly: true });
  try {
    return database.prepare(query).all(...values) as Row[];
  } finally {
    database.close();
  }
}

/** Polls until there is a value. @throws Error after `limitMs` */
export async function poll<Answer>(
  attempt: () => Answer | null | undefined | false | Promise<Answer | null | undefined | false>,
  limitMs = 60_000,
): Promise<Answer> {
  const deadline = performance.now() + limitMs;
  for (;;) {
    const answer = await attempt();
    if (answer) return answer;
    if (performance.now() > deadline) throw new Error(`still waiting after ${limitMs} ms`);
    await new Promise((next) => setTimeout(next, 10));
  }
}
