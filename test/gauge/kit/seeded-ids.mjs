import { random } from './fixed-world.mjs';

const hex = (bytes) => Array.from({ length: bytes }, () => Math.floor(random() * 256).toString(16).padStart(2, '0')).join('');

/** OpenTelemetry identifiers that follow from the seed of the run. */
export const seededIds = { generateTraceId: () => hex(16), generateSpanId: () => hex(8) };
