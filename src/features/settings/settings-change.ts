import { z } from 'zod';
import type { DetectionType } from '../../core/detection.ts';
import { DETECTORS } from '../../detectors/registry.ts';
import { unknownMembers } from '../_kit/field-errors.ts';

const NAMES = DETECTORS.map((registered) => registered.detector.type);

/** A map by detector; an unknown name is rejected with a list of the known ones. */
function byDetector<Value extends z.ZodType>(value: Value) {
  const shape = Object.fromEntries(NAMES.map((name) => [name, value.optional()]));
  return z.strictObject(shape as Record<DetectionType, z.ZodOptional<Value>>, unknownMembers('detector', NAMES));
}

/** The same; members may also be subtypes, such as `loop/cyclic`, which the type omits because there are too many. */
function byDetectorOrSubtype<Value extends z.ZodType>(value: Value) {
  const shape = Object.fromEntries(NAMES.map((name) => [name, value.optional()]));
  const schema = z
    .object(shape)
    .catchall(value)
    .superRefine((given, context) => {
      for (const name of Object.keys(given).filter((key) => !KINDS.has(key)))
        context.addIssue({ code: 'custom', path: [name], message: unknownKind(name) });
    });
  return schema as unknown as z.ZodObject<Record<DetectionType, z.ZodOptional<Value>>>;
}

const KINDS = new Set(
  DETECTORS.flatMap(({ detector: { type, subtypes } }) => [
    type,
    ...Object.keys(subtypes).map((subtype) => `${type}/${subtype}`),
  ]),
);

function unknownKind(name: string): string {
  const detector = NAMES.find((known) => name.startsWith(`${known}/`));
  const kinds = [...KINDS].filter((kind) => kind.startsWith(`${detector}/`));
  return detector === undefined
    ? `unknown detector ${JSON.stringify(name)}; there are ${NAMES.join(', ')}`
    : `unknown subtype ${JSON.stringify(name)}; there are ${kinds.join(', ')}`;
}

/** Detectors that are switched on or off; null restores the default of one. */
export const switchesChange = byDetector(z.boolean().nullable());

/** Firing thresholds of detectors and subtypes; null resets one. */
export const overridesChange = byDetectorOrSubtype(z.number().min(0).max(1).nullable());
