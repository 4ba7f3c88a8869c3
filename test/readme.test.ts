import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { processIo } from '../src/cli/io.ts';
import { buildProgram } from '../src/cli/program.ts';

const root = resolve(import.meta.dirname, '..');
const pages = [
  'README.md',
  'CONTRIBUTING.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
];

function brokenLinks(page: string, text: string): string[] {
  const targets = [...text.matchAll(/\]\(([^)#]+)(?:#[^)]*)?\)/g)].map((match) => match[1] as string);
  const own = targets.filter((target) => !/^[a-z]+:/.test(target));
  return own.filter((target) => !existsSync(resolve(root, dirname(page), target)));
}

describe('documents', () => {
  it.each(pages)('%s has only valid links', (page) => {
    expect(brokenLinks(page, readFileSync(join(root, page), 'utf8'))).toEqual([]);
  });

  it('a broken link is found', () => {
    expect(brokenLinks('README.md', 'see [there](docs/nowhere.md)')).toEqual(['docs/nowhere.md']);
  });

  it('the README names every command', () => {
    const section = readFileSync(join(root, 'README.md'), 'utf8').split('## Commands')[1]?.split('\n## ')[0] ?? '';
    const program = buildProgram(processIo(), async () => {});
    const missing = program.commands.map((command) => command.name()).filter((name) => !section.includes(`\`${name}`));
    expect(missing).toEqual([]);
  });

  it('no page names a path of one machine', () => {
    const named = pages.filter((page) => /\/(work|home|root)\//.test(readFileSync(join(root, page), 'utf8')));
    expect(named).toEqual([]);
  });
});
