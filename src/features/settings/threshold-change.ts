import { z } from 'zod';
import { unknownMembers } from '../_kit/field-errors.ts';
import { THRESHOLD_NAMES, type ThresholdName, thresholdFields } from './threshold-fields.ts';

type Fields = typeof thresholdFields;

export function eachField<Shape>(change: (field: z.ZodType) => z.ZodType): Shape {
  return Object.fromEntries(THRESHOLD_NAMES.map((name) => [name, change(thresholdFields[name])])) as Shape;
}

const unknownField = unknownMembers('field', THRESHOLD_NAMES);

const changed = eachField<{ [Name in ThresholdName]: z.ZodOptional<z.ZodNullable<Fields[Name]>> }>((field) =>
  field.nullable().optional(),
);
const change = z.strictObject(changed, unknownField).meta({ id: 'ThresholdChange' });
export const proposed = eachField<{ [Name in ThresholdName]: z.ZodOptional<Fields[Name]> }>((field) =>
  field.optional(),
);
export const effective = eachField<{ [Name in ThresholdName]: z.ZodNullable<Fields[Name]> }>((field) =>
  field.nullable(),
);
export const frameworkName = z.string().min(1).max(100);

/** A change by a client: null unsets a field, an omitted field is unchanged, flat fields mean `global`. */
export const thresholdsChange = z.strictObject(
  {
    ...changed,
    global: change.optional(),
    frameworks: z.record(frameworkName, change.nullable()).optional().describe('By framework; null resets all of one'),
  },
  unknownField,
);
