import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { JsonObject } from '../src/core/json.ts';
import { operations } from '../src/features/operations.ts';
import { toOpenApi } from '../src/http/openapi.ts';

/** Writes the list of all routes; `src/http/openapi.test.ts` fails when it is stale. */
export const ROUTE_DOCS = resolve(import.meta.dirname, '../docs/routes.generated.md');

interface Row {
  group: string;
  cells: [route: string, summary: string, access: string];
}

export function routeDocs(description: JsonObject = toOpenApi(operations)): string {
  const groups = [...Map.groupBy(rowsOf(description), ({ group }) => group)].sort(([one], [other]) =>
    one < other ? -1 : 1,
  );
  const sections = groups.map(([group, rows]) => {
    const lines = rows.map(({ cells }) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`);
    return [`## ${group}`, '', '| route | what it does | who |', '|---|---|---|', ...lines].join('\n');
  });
  return `${HEAD}\n${sections.join('\n\n')}\n`;
}

const HEAD = `# All routes

Generated from the operations by \`node scripts/generate-route-docs.ts\`; do not edit. A running server describes more under \`/docs\`:
parameters, bodies, answers, examples. *Who* is the scope a tenant's key needs, \`operator\`, or anyone. See also [http.md](http.md).
`;

function rowsOf(description: JsonObject): Row[] {
  return Object.entries(description.paths as Record<string, Record<string, JsonObject>>).flatMap(([path, item]) =>
    Object.entries(item).map(
      ([method, value]): Row => ({
        group: String((value.tags as string[])[0]),
        cells: [`\`${method.toUpperCase()} ${path}\``, String(value.summary), accessOf(value)],
      }),
    ),
  );
}

function accessOf(entry: JsonObject): string {
  if (entry['x-scope'] !== undefined) return `\`${entry['x-scope']}\``;
  return JSON.stringify(entry.security).includes('operator') ? '`operator`' : 'anyone';
}

if (import.meta.main) writeFileSync(ROUTE_DOCS, routeDocs());
