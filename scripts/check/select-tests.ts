/** What each file imports: repository paths of our own files, and names of modules. */
export type ImportGraph = ReadonlyMap<string, readonly string[]>;

export const isTestFile = (file: string) => /\.test\.tsx?$/.test(file);

/** Modules of tests that start servers, processes or threads, or open stores. */
const IMPURE_MODULES: ReadonlySet<string> = new Set([
  'better-sqlite3',
  'node:child_process',
  'node:http',
  'node:https',
  'node:net',
  'node:worker_threads',
  'playwright-core',
  'smtp-server',
]);

/**
 * The tests of changed files: those among them, the test next to each, and those that import one directly. A file that no
 * test imports counts as changed its importers, so that its nearest tests are found.
 */
export function testsOf(files: readonly string[], graph: ImportGraph): string[] {
  const importers = new Map<string, string[]>();
  for (const [file, targets] of graph)
    for (const target of targets) importers.set(target, [...(importers.get(target) ?? []), file]);
  const found = new Set<string>();
  for (const file of files) for (const test of nearestTests(file, graph, importers)) found.add(test);
  return [...found].sort();
}

function nearestTests(file: string, graph: ImportGraph, importers: ReadonlyMap<string, string[]>): string[] {
  if (isTestFile(file)) return [file];
  const seen = new Set([file]);
  for (let level = [file]; level.length > 0; ) {
    const above = level.flatMap((each) => importers.get(each) ?? []).filter((each) => !seen.has(each));
    const beside = level.map((each) => each.replace(/\.tsx?$/, '.test.ts')).filter((each) => graph.has(each));
    const tests = [...above.filter(isTestFile), ...beside];
    if (tests.length > 0) return tests;
    for (const each of above) seen.add(each);
    level = [...new Set(above)];
  }
  return [];
}

/** Whether a test is pure: none of its imports starts a server, a process or a thread, or opens a store. */
export function isPureTest(test: string, graph: ImportGraph): boolean {
  const seen = new Set([test]);
  for (const file of seen)
    for (const target of graph.get(file) ?? []) {
      if (IMPURE_MODULES.has(target)) return false;
      seen.add(target);
    }
  return true;
}
