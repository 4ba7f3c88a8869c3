// The model of the coding agents' task as a process, which also stores the program's OTLP exports.
// Usage: node serve-coding-task.ts PORT PROJECT_FOLDER EXPORT_FOLDER
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CODING_USAGE, codingTask } from './coding-task.ts';
import { serveModel } from './server.ts';

const [port, project, exports] = process.argv.slice(2) as [string, string, string];
mkdirSync(exports, { recursive: true });
let count = 0;

await serveModel(codingTask(project), CODING_USAGE, {
  port: Number(port),
  other(path, request, body, response) {
    const signal = /\/v1\/(logs|traces|metrics)$/.exec(path)?.[1];
    if (signal === undefined) return false;
    const type = request.headers['content-type'] ?? '';
    count += 1;
    const name = `${String(count).padStart(3, '0')}-${signal}.${type.includes('json') ? 'json' : 'pb'}`;
    writeFileSync(join(exports, name), body);
    response.writeHead(200, { 'content-type': type }).end(type.includes('json') ? '{}' : '');
    return true;
  },
});
