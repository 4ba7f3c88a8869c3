import { dirname, join, normalize } from 'node:path';

export interface Import {
  /** Paths from the root of the repository. */
  file: string;
  target: string;
}

/** Relative imports and exports of a file: of values and types, static and dynamic. */
export function importsOf(file: string, text: string): Import[] {
  const specifiers = [...text.matchAll(/(?:\bfrom|\bimport\(|\bimport)\s*'(\.[^']+)'/g)].map(
    ([, path]) => path as string,
  );
  return specifiers.map((specifier) => ({ file, target: normalize(join(dirname(file), specifier)) }));
}

/** Sets of files that import each other, directly or through others (strongly connected components, Tarjan 1972). */
export function findCycles(imports: readonly Import[]): string[][] {
  const targets = Map.groupBy(imports, ({ file }) => file);
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const stack: string[] = [];
  const cycles: string[][] = [];

  function visit(file: string): number {
    const index = order.size;
    order.set(file, index);
    lowest.set(file, index);
    stack.push(file);
    for (const { target } of targets.get(file) ?? []) {
      if (!order.has(target)) lower(file, visit(target));
      else if (stack.includes(target)) lower(file, order.get(target)!);
    }
    if (lowest.get(file) === index) {
      const component = stack.splice(stack.indexOf(file));
      const importsItself = targets.get(file)?.some(({ target }) => target === file) ?? false;
      if (component.length > 1 || importsItself) cycles.push(component.sort());
    }
    return lowest.get(file)!;
  }

  function lower(file: string, value: number): void {
    lowest.set(file, Math.min(lowest.get(file)!, value));
  }

  for (const file of targets.keys()) if (!order.has(file)) visit(file);
  return cycles.sort();
}
