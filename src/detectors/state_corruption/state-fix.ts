import type { Fix, FixChange } from '../../core/detection.ts';
import { isJsonObject, type Json } from '../../core/json.ts';
import { jsonPatched, type PatchOperation, pointerToken } from '../_kit/patch.ts';
import type { Fault } from './fault.ts';
import { jsonType, leafName } from './field.ts';
import { boundKind } from './field-names.ts';

/** A schema that would have rejected the write, and a reducer if it prevents the fault. */
export function stateFixes(fault: Fault, framework: string): Fix[] {
  return [schemaFix(fault, framework), ...(needsReducer(fault) ? [reducerFix(fault, framework)] : [])];
}

function schemaFix(fault: Fault, framework: string): Fix {
  const node = fault.to.snapshot.node ?? fault.to.snapshot.agent ?? 'the node that wrote it';
  return {
    fixType: 'state_schema',
    title: `Declare \`${fault.path}\` in the state schema`,
    description: `Validate after ${node} that \`${fault.path}\` ${ruleText(fault)}, so that a wrong write is rejected where it happens.`,
    rationale: `\`${fault.path}\` ${fault.what}; without a schema, no node notices.`,
    confidence: 0.6,
    risk: 'low',
    changes: [schemaPatch(fault), modelText(fault, framework)],
    isBreaking: false,
    requiresTesting: true,
  };
}

/** A diff against the previous schema of the state, along the path of the field. */
function schemaPatch(fault: Fault): FixChange {
  const path = fault.path.split('.');
  const place = (steps: readonly string[]) => steps.map((step) => `/properties/${pointerToken(step)}`).join('');
  const patch: PatchOperation[] = [{ op: 'add', path: place(path), value: fieldSchema(fault) }];
  if (isRequired(fault))
    patch.push({ op: 'add', path: `${place(path.slice(0, -1))}/required/-`, value: leafName(fault.path) });
  return jsonPatched('state JSON Schema', openSchema(path.slice(0, -1)), patch);
}

function isRequired({ subtype }: Fault): boolean {
  return subtype === 'field_vanished' || subtype === 'field_nulled';
}

/** A schema that only declares the objects on the path of the field. */
function openSchema([first, ...rest]: readonly string[]): Json {
  const properties = first === undefined ? {} : { [first]: openSchema(rest) };
  return { type: 'object', properties, required: [] };
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  null: 'null',
  boolean: 'a boolean',
  number: 'a number',
  integer: 'an integer',
  string: 'a string',
  array: 'a list',
  object: 'an object',
};

/** What the schema requires of the field: `is a number from 0 to 100`. */
function ruleText(fault: Fault): string {
  const { type, minimum, maximum } = fieldSchema(fault);
  const lowest = minimum === undefined ? '' : maximum === undefined ? ` of at least ${minimum}` : ` from ${minimum}`;
  const limits = `${lowest}${maximum === undefined ? '' : ` to ${maximum}`}`;
  return `${isRequired(fault) ? 'exists and ' : ''}is ${TYPE_NAMES[type]}${limits}`;
}

const SCHEMA_TYPES = {
  null: 'null',
  boolean: 'boolean',
  number: 'number',
  string: 'string',
  list: 'array',
  object: 'object',
};

type FieldSchema = { type: string } & Limits;

function fieldSchema(fault: Fault): FieldSchema {
  if (fault.subtype === 'list_shrunk') return { type: 'array' };
  const schema: FieldSchema = { type: SCHEMA_TYPES[jsonType(fault.before)] };
  if (fault.subtype === 'bounds') Object.assign(schema, limitsOf(fault));
  if (fault.subtype === 'counter_regression') Object.assign(schema, { type: 'integer', minimum: 0 });
  return schema;
}

type Limits = { minimum?: number; maximum?: number };

function limitsOf(fault: Fault): Limits {
  switch (boundKind(fault.path)) {
    case 'percent':
      return { minimum: 0, maximum: 100 };
    case 'probability':
    case 'unit_score':
      return { minimum: 0, maximum: 1 };
    case 'countable':
    case 'money':
      return { minimum: 0 };
    default:
      return {};
  }
}

/** The same rule as a line in the main language of the framework. */
function modelText(fault: Fault, framework: string): FixChange {
  const isTypeScript = /mastra|vercel|langgraph-?js|openai-agents-js/.test(framework);
  const name = leafName(fault.path);
  const limits = fault.subtype === 'bounds' ? limitsOf(fault) : {};
  const after = isTypeScript ? zodLine(name, fault, limits) : pydanticLine(name, fault, limits);
  return {
    target: isTypeScript ? 'state schema (zod)' : 'state model (pydantic)',
    format: 'text',
    before: null,
    after,
  };
}

function pydanticLine(name: string, fault: Fault, { minimum, maximum }: Limits): string {
  const types = {
    null: 'None',
    boolean: 'bool',
    number: numberType(fault),
    string: 'str',
    list: 'list',
    object: 'dict',
  };
  const type = types[fault.subtype === 'list_shrunk' ? 'list' : jsonType(fault.before)];
  const limits = [minimum === undefined ? '' : `ge=${minimum}`, maximum === undefined ? '' : `le=${maximum}`].filter(
    Boolean,
  );
  const strict = fault.subtype === 'type_change' ? ['strict=True'] : [];
  const options = [...strict, ...limits];
  return options.length === 0 ? `${name}: ${type}` : `${name}: ${type} = Field(${options.join(', ')})`;
}

function numberType(fault: Fault): string {
  return Number.isInteger(fault.before) ? 'int' : 'float';
}

function zodLine(name: string, fault: Fault, { minimum, maximum }: Limits): string {
  const types = {
    null: 'z.null()',
    boolean: 'z.boolean()',
    number: 'z.number()',
    string: 'z.string()',
    list: 'z.array(z.unknown())',
    object: 'z.looseObject({})',
  };
  const type = types[fault.subtype === 'list_shrunk' ? 'list' : jsonType(fault.before)];
  return `${name}: ${type}${minimum === undefined ? '' : `.min(${minimum})`}${maximum === undefined ? '' : `.max(${maximum})`},`;
}

function needsReducer({ subtype, before }: Fault): boolean {
  return (
    subtype === 'list_shrunk' ||
    subtype === 'counter_regression' ||
    (subtype === 'field_vanished' && isJsonObject(before))
  );
}

function reducerFix(fault: Fault, framework: string): Fix {
  const name = leafName(fault.path);
  const isLangGraph = framework.startsWith('langgraph');
  const lines = {
    list_shrunk: `${name}: Annotated[list, ${name === 'messages' ? 'add_messages' : 'operator.add'}]`,
    counter_regression: `${name}: Annotated[int, max]`,
    field_vanished: `${name}: Annotated[dict, lambda old, new: {**old, **new}]`,
  };
  const line = lines[fault.subtype as keyof typeof lines];
  return {
    fixType: 'state_schema',
    title: `Merge writes to \`${fault.path}\` instead of replacing it`,
    description: isLangGraph
      ? `Give the channel a reducer in the graph's state: \`${line}\`.`
      : `Merge what a node returns for \`${fault.path}\` into the old value (for LangGraph: \`${line}\`).`,
    rationale: 'A node that returns only its part of the field can then not overwrite what others have written.',
    confidence: isLangGraph ? 0.6 : 0.45,
    risk: 'medium',
    changes: [{ target: `state.${fault.path}`, format: 'text', before: null, after: line }],
    isBreaking: false,
    requiresTesting: true,
  };
}
