import { type Component, directDependencies, readPackageComponents } from './components.ts';
import { nodeComponent, sqliteComponent } from './native-components.ts';

/** Third-party components of the executable. */
export interface ExecutableComponents {
  /** By name, then version. */
  components: Component[];
  /** Package URLs of the components that the project itself depends on. */
  direct: string[];
}

/** @param folders of the bundled packages. @throws Error that names a component whose licence is missing or not allowed */
export function readExecutableComponents(root: string, folders: readonly string[]): ExecutableComponents {
  const [node, sqlite] = [nodeComponent(root), sqliteComponent(root)];
  const packages = readPackageComponents(root, folders).map((component) =>
    component.name === 'better-sqlite3'
      ? { ...component, dependsOn: [...component.dependsOn, sqlite.purl] }
      : component,
  );
  const components = [...packages, node, sqlite].sort((a, b) =>
    compare(`${a.name} ${a.version}`, `${b.name} ${b.version}`),
  );
  return { components, direct: [...directDependencies(root, folders), node.purl] };
}

/** By code units, so that the locale of the machine does not matter. */
function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
