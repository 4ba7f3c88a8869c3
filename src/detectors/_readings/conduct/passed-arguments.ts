import { isJsonObject, type Json } from '../../../core/json.ts';
import type { Trace } from '../../../core/trace.ts';
import { schemaViolations } from '../../_kit/json-schema.ts';
import { cut, lettersAndDigits, oneLine } from '../../_kit/text.ts';
import { type ToolUse, toolUses } from '../calls/calls.ts';
import type { Obstacle } from './obstacle.ts';

/** A smaller number of declared tools may be an incomplete list. */
const MIN_DECLARED = 2;

export function unknownTool(trace: Trace, { name, command, outcome }: ToolUse): Obstacle | null {
  const names = trace.toolDefinitions.map((tool) => tool.name);
  if (names.length < MIN_DECLARED || names.includes(name) || command !== null || outcome !== null) return null;
  if (toolUses(trace).some((use) => use.name === name && !use.isError)) return null;
  return { kind: 'unknown_tool', declared: names.length, nearest: nearestOf(name, names) };
}

const MIN_SIMILARITY = 0.4;

/** The name that shares the most letter pairs. */
function nearestOf(name: string, names: readonly string[]): string | null {
  const [best] = names
    .map((each) => ({ each, similarity: similarity(name, each) }))
    .sort((a, b) => b.similarity - a.similarity);
  return best === undefined || best.similarity < MIN_SIMILARITY ? null : best.each;
}

function similarity(one: string, other: string): number {
  const [a, b] = [pairsOf(one), pairsOf(other)];
  const shared = [...a].filter((pair) => b.has(pair)).length;
  return (2 * shared) / Math.max(1, a.size + b.size);
}

function pairsOf(text: string): ReadonlySet<string> {
  const letters = lettersAndDigits(text);
  return new Set([...letters].slice(1).map((letter, at) => `${letters[at]}${letter}`));
}

/** An argument that the declared schema of the tool does not allow. */
export function declaredFault(trace: Trace, use: ToolUse): Obstacle | null {
  const schema = trace.toolDefinitions.find(({ name }) => name === use.name)?.parameters ?? null;
  const breach = schemaViolations(use.arguments, schema).find(({ isHarmless, path }) => !isHarmless && path !== '');
  if (breach === undefined) return null;
  const { path, what } = breach;
  if (what === 'is missing')
    return { kind: 'missing_argument', argument: path, passed: keysOf(use.arguments), line: '' };
  return { kind: 'wrong_argument', argument: path, what, declared: declaredAs(schema, path) };
}

/** Whether the declared schema of the tool requires an argument. */
export function isDeclaredRequired(trace: Trace, tool: string, argument: string): boolean {
  const schema = trace.toolDefinitions.find(({ name }) => name === tool)?.parameters ?? null;
  return isJsonObject(schema) && Array.isArray(schema.required) && schema.required.includes(argument);
}

/** The quoted name of a field that an error calls missing or required. */
export const QUOTED_FIELD =
  /(?:missing|required)[^'"`\n]{0,60}(?:argument|parameter|property|field)s?[^'"`\n]{0,10}['"`](\w{1,60})['"`]|['"`](\w{1,60})['"`] is (?:a )?required/i;
/** Pydantic writes this after the name of the field. */
const FIELD_REQUIRED = /(?<!\S)(\S{1,200})\s{1,20}Field required/g;
const FIELD_NAME = /^[\w.]{2,80}$/;

export function missingField(use: ToolUse, message: string): Obstacle | null {
  const [argument] = missingFields(use, message);
  return argument === undefined
    ? null
    : { kind: 'missing_argument', argument, passed: [], line: cut(oneLine(message), 200) };
}

/** The fields that an error calls missing, in order, each once; empty for a call without named arguments. */
export function missingFields({ arguments: args }: ToolUse, message: string): readonly string[] {
  if (!isJsonObject(args)) return [];
  const quoted = QUOTED_FIELD.exec(message);
  const required = [...message.matchAll(FIELD_REQUIRED)].map(([, field]) => field!);
  const found = required.length > 0 ? required : [quoted?.[1] ?? quoted?.[2] ?? ''];
  return [...new Set(found)].filter((field) => FIELD_NAME.test(field));
}

/** Whether a value has a member with this name, at any depth. A path such as `owners.0.dob` counts by its last name. */
export function passesField(value: Json, field: string): boolean {
  const name = field.slice(field.lastIndexOf('.') + 1);
  if (Array.isArray(value)) return value.some((item) => passesField(item, name));
  if (!isJsonObject(value)) return false;
  return Object.hasOwn(value, name) || Object.values(value).some((member) => passesField(member, name));
}

function keysOf(args: Json): string[] {
  return isJsonObject(args) ? Object.keys(args) : [];
}

function declaredAs(schema: Json, path: string): string {
  const properties = isJsonObject(schema) && isJsonObject(schema.properties) ? schema.properties : {};
  const declared = properties[path.split(/[.[]/, 1)[0]!] ?? null;
  return cut(JSON.stringify(declared), 120);
}

/** An argument whose name the error quotes, or writes as `name=` or `name:`. */
export function namedArgument({ arguments: args }: ToolUse, line: string): Obstacle | null {
  if (!isJsonObject(args)) return null;
  const argument = Object.keys(args).find((key) => key.length >= 3 && isNamed(key, line));
  if (argument === undefined) return null;
  return { kind: 'named_argument', argument, value: cut(JSON.stringify(args[argument]), 80), line };
}

function isNamed(key: string, line: string): boolean {
  return ["'", '"', '`'].some((mark) => line.includes(`${mark}${key}${mark}`)) || line.includes(`${key}=`);
}
