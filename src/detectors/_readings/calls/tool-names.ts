const PLAIN = /^[a-z]+(?:_[a-z]+)*$/;
/** `mcp__desk__read_file`, `files.read`, `functions:read`, `server/read`. */
const NAMESPACE = /^.{1,80}(?:__|[./:])(?=[\p{L}])/u;
/** `read_v2`, `read-2`, `read_tool`. */
const SUFFIX = /[_-]?(?:v\d{1,2}|\d{1,2}|tool)$/i;

/**
 * The words of the name of a tool, in lower case and joined by underscores, without namespace and version: `read_file` for
 * `mcp__desk__ReadFile_v2`. Compare it with known names: programs add such parts.
 */
export function plainName(name: string): string {
  if (PLAIN.test(name) && !name.endsWith('_tool')) return name;
  const own = name.replace(NAMESPACE, '');
  const words = own
    .replace(/([\p{Ll}\d])(?=\p{Lu})/gu, '$1_')
    .replace(/[-\s]/g, '_')
    .toLowerCase();
  const rest = words.replace(SUFFIX, '');
  return rest === '' ? words : rest;
}
