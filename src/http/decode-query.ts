import { z } from 'zod';
import { AppError } from '../core/app-error.ts';
import { MAX_FIELD_ERRORS } from '../core/bounded-errors.ts';
import type { FieldError } from '../core/field-error.ts';

const NUMBER = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d{1,3})?$/;

/**
 * Decodes query text by the schema's type: numbers must parse as numbers and booleans as `true` or `false`, which plain
 * coercion does not enforce. Unknown and repeated names are rejected.
 * @throws AppError `invalid_query`
 */
export function decodeQuery(schema: z.ZodObject | undefined, querystring: string): Record<string, unknown> {
  const shape: Record<string, z.ZodType> = schema?.shape ?? {};
  const errors: FieldError[] = [];
  const values: Record<string, unknown> = {};
  for (const [name, texts] of textsByName(querystring)) {
    const field = Object.hasOwn(shape, name) ? shape[name] : undefined;
    const decoded = field ? decodeField(field, texts) : { problem: 'is not a parameter of this operation' };
    if ('value' in decoded) values[name] = decoded.value;
    else if (errors.length < MAX_FIELD_ERRORS) errors.push({ pointer: `?${name}`, message: decoded.problem });
  }
  const parsed = schema?.safeParse(values);
  if (parsed?.error) errors.push(...issuesOf(parsed.error, errors));
  if (errors.length > 0) throw new AppError('invalid_query', 'Query validation failed.', { errors });
  return parsed?.data ?? {};
}

/** A single pass: calling `getAll` for each of thousands of names would take quadratic time. */
function textsByName(querystring: string): Map<string, string[]> {
  const texts = new Map<string, string[]>();
  for (const [name, text] of new URLSearchParams(querystring)) {
    const known = texts.get(name);
    if (known) known.push(text);
    else texts.set(name, [text]);
  }
  return texts;
}

function issuesOf(error: z.ZodError, known: FieldError[]): FieldError[] {
  return error.issues
    .map((issue) => ({ pointer: `?${String(issue.path[0] ?? '')}`, message: issue.message }))
    .filter(({ pointer }) => !known.some((field) => field.pointer === pointer));
}

type Decoded = { value: unknown } | { problem: string };

function decodeField(field: z.ZodType, texts: string[]): Decoded {
  const inner = unwrap(field);
  if (inner instanceof z.ZodArray) {
    const items = texts.map((text) => decodeText(unwrap(inner.element as z.ZodType), text));
    return items.find((item) => 'problem' in item) ?? { value: items.map((item) => 'value' in item && item.value) };
  }
  return texts.length > 1 ? { problem: 'is given more than once' } : decodeText(inner, texts[0] ?? '');
}

function decodeText(field: z.ZodType, text: string): Decoded {
  if (field instanceof z.ZodNumber)
    return NUMBER.test(text) ? { value: Number(text) } : { problem: 'must be a number' };
  if (field instanceof z.ZodBoolean) {
    return text === 'true' || text === 'false' ? { value: text === 'true' } : { problem: 'must be true or false' };
  }
  return { value: text };
}

/** The innermost schema that receives the text, under optional, default, nullable and transforming layers. */
function unwrap(field: z.ZodType): z.ZodType {
  const { innerType, in: source } = field.def as { innerType?: z.ZodType; in?: z.ZodType };
  const inner = innerType ?? source;
  return inner ? unwrap(inner) : field;
}
