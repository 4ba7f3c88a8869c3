const IMPORT = /^import \{ \w+ \} from '\.\/([a-z_]+)\/detector\.ts';\n/gm;
const END_OF_LIST = /^\]\.map\(/m;

/**
 * The text of `src/detectors/registry.ts` with one more detector: its import in alphabetical order, and its line at the end
 * of the list.
 *
 * @throws Error if the text has no list of detectors
 */
export function addToList(registry: string, name: string, variable: string): string {
  const imports = [...registry.matchAll(IMPORT)];
  const next = imports.find(([, folder]) => folder! > name);
  const last = imports.at(-1);
  const end = END_OF_LIST.exec(registry);
  if (last === undefined || end === null) throw new Error('src/detectors/registry.ts has no list of detectors');
  const place = next?.index ?? last.index + last[0].length;
  return [
    registry.slice(0, place),
    `import { ${variable} } from './${name}/detector.ts';\n`,
    registry.slice(place, end.index),
    `  ${variable},\n`,
    registry.slice(end.index),
  ].join('');
}
