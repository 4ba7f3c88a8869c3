import type { Attributes } from '../../core/span.ts';

/** Attributes with the working directory of an agent: Codex's own, then those of the OpenTelemetry conventions. */
const OWN_KEYS = ['cwd', 'process.working_directory'];
const RESOURCE_KEYS = ['process.working_directory'];

/** The working directory in the telemetry of a coding agent; null if there is none, as for most agents. */
export function workingDirectoryOf(attributes: Attributes, resource: Attributes): string | null {
  return pathAt(attributes, OWN_KEYS) ?? pathAt(resource, RESOURCE_KEYS);
}

/** Absolute paths only, of POSIX or Windows. */
function pathAt(attributes: Attributes, keys: readonly string[]): string | null {
  const paths = keys.map((key) => attributes[key]);
  return (paths.find((path) => typeof path === 'string' && /^(?:\/|[A-Za-z]:[\\/]|\\\\)/.test(path)) as string) ?? null;
}
