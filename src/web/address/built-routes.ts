import type { RouteName } from './routes.ts';

const built = new Set<RouteName>();

/** Told once, when the page starts: a view may link to another one without importing the list of all views. */
export function setBuiltRoutes(names: readonly string[]): void {
  for (const name of names) built.add(name as RouteName);
}

/** Whether an address has a view, and so may be linked. */
export function isBuilt(name: RouteName): boolean {
  return built.has(name);
}
