import { globSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { OffloadTask } from './task.ts';
import { offloadTasks } from './tasks.ts';

const FEATURES = join(import.meta.dirname, '..');

function isTask(value: unknown): value is OffloadTask<unknown> {
  return typeof value === 'object' && value !== null && 'run' in value && 'kind' in value;
}

it('every task of a *.tasks.ts file is listed, because a worker finds it there', async () => {
  const files = globSync('**/*.tasks.ts', { cwd: FEATURES });
  const modules: object[] = await Promise.all(files.map((file) => import(join(FEATURES, file))));
  const tasks = modules.flatMap((module) => Object.values(module)).filter(isTask);
  expect(tasks.length).toBeGreaterThan(20);
  expect(tasks.filter((task) => !offloadTasks.includes(task)).map(({ name }) => name)).toEqual([]);
});

it('names of tasks are unique', () => {
  const names = offloadTasks.map(({ name }) => name);
  expect(names).toEqual([...new Set(names)]);
});
