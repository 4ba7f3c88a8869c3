/** Writes the newest results of `npm run test:e2e` into docs/integrations.md. */
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { integrationTable, TABLE_BEGIN, TABLE_END } from './e2e/integration-table.ts';
import { cacheFolder, resultsFile } from './e2e/programs.ts';
import { readResults } from './e2e/report.ts';

const page = resolve(import.meta.dirname, '../docs/integrations.md');
const text = readFileSync(page, 'utf8');
const [begin, end] = [text.indexOf(TABLE_BEGIN), text.indexOf(TABLE_END)];
if (begin === -1 || end < begin) throw new Error(`docs/integrations.md has no ${TABLE_BEGIN} before ${TABLE_END}`);
const table = integrationTable(readResults(resultsFile(cacheFolder(process.env))));
writeFileSync(page, `${text.slice(0, begin + TABLE_BEGIN.length)}\n\n${table}\n\n${text.slice(end)}`);
