import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { describedRoutes } from './support/described-routes.ts';

const root = resolve(import.meta.dirname, '..');
const pages = [
  'README.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
];

/** Routes of other programs that a page names. */
const OTHER_PROGRAMS = new Set(['POST /api/v1/dashboard']);
const PREFIXES = ['', '/api/v1', '/api/v1/tenants/{tenant_id}'];

const described = describedRoutes().map(({ method, path }) => ({ method, segments: path.split('/') }));

/** A parameter of a page may stand for a fixed segment: `/{integration}/webhook`; `…/mute` is the end of a path. */
function isDescribed(method: string, path: string): boolean {
  const isEnd = path.startsWith('…');
  const named = path.split('/').slice(isEnd ? 1 : 0);
  return described.some((route) => {
    const segments = isEnd ? route.segments.slice(-named.length) : route.segments;
    return (
      route.method === method &&
      segments.length === named.length &&
      segments.every((segment, at) => named[at]!.startsWith('{') || segment === named[at])
    );
  });
}

/** Routes of a page that the server does not have. `GET`, `PUT thresholds` are two methods of one path. */
function unknownRoutes(text: string): string[] {
  const unknown: string[] = [];
  let prefix: string | null = null;
  for (const line of text.split('\n')) {
    if (!line.startsWith('|')) prefix = null;
    const [isHeader, header] = /^\| *route[^|`]*(?:`([^`]+)`)?[^|]*\|/i.exec(line) ?? [];
    if (isHeader) prefix = (header ?? '').replace(/^…/, '');
    else unknown.push(...unknownInLine(line, prefix));
  }
  return unknown;
}

function unknownInLine(line: string, prefix: string | null): string[] {
  const unknown: string[] = [];
  let waiting: string[] = [];
  for (const [, code = ''] of line.matchAll(/`([^`]+)`/g)) {
    const [, method, path] = /^(GET|POST|PUT|DELETE)(?: ([…/\w{][^\s"]*))?$/.exec(code) ?? [];
    if (method === undefined) continue;
    waiting.push(method);
    if (path === undefined) continue;
    unknown.push(...waiting.filter((one) => !isKnown(one, path, prefix)).map((one) => `${one} ${path}`));
    waiting = [];
  }
  // A method alone in the first cell of a table belongs to the path of the table.
  const isAlone = prefix && /^\| `(GET|POST|PUT|DELETE)` \|/.test(line);
  return isAlone && !isKnown(waiting[0]!, '', prefix) ? [...unknown, `${waiting[0]} ${prefix}`] : unknown;
}

function isKnown(method: string, path: string, prefix: string | null): boolean {
  const plain = path.replace(/\?.*$/, '');
  if (plain.startsWith('…')) return isDescribed(method, plain);
  const whole = plain === '' || plain.startsWith('/') ? plain : `/${plain}`;
  const starts = PREFIXES.flatMap((start) => (prefix ? [`${start}${prefix}`, start] : [start]));
  return OTHER_PROGRAMS.has(`${method} ${path}`) || starts.some((start) => isDescribed(method, `${start}${whole}`));
}

describe('the pages', () => {
  it.each(pages)('%s names only existing routes', (page) => {
    expect(unknownRoutes(readFileSync(join(root, page), 'utf8'))).toEqual([]);
  });

  it.each([
    ['a path', 'see `GET /no-such-path`', ['GET /no-such-path']],
    ['a method', 'see `PUT /benchmarks`', ['PUT /benchmarks']],
    ['one of two methods', '`GET`, `POST …/settings/judge`', ['POST …/settings/judge']],
    [
      'what a table adds',
      '| route under `/tenants/{tenant_id}/analytics` | x |\n|---|---|\n| `GET nonsense` | y |',
      ['GET nonsense'],
    ],
    [
      'a method alone',
      '| route under `/tenants/{tenant_id}/workflow-groups` | x |\n| `PUT` | y |',
      ['PUT /tenants/{tenant_id}/workflow-groups'],
    ],
    ['nothing', 'see `GET /benchmarks`, `GET`, `PUT …/settings/judge`, `PUT {"a": 1}`', []],
  ])('detects %s', (_name, text, expected) => expect(unknownRoutes(text)).toEqual(expected));

  it('list every route in one of them', () => {
    const all = readFileSync(join(root, 'docs/routes.generated.md'), 'utf8');
    const missing = describedRoutes().filter(({ method, path }) => !all.includes(`| \`${method} ${path}\` |`));
    expect(missing.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
  });
});
