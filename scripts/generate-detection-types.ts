/** Writes the names of the listed detectors to src/core, which may not import detectors; commands start faster without them. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DETECTION_TYPES } from '../src/core/detection.ts';
import { DETECTORS } from '../src/detectors/registry.ts';

export const DETECTION_TYPES_FILE = join(import.meta.dirname, '../src/core/detection-types.generated.ts');

/** Known names keep their place, so that the API description changes by the new name only. */
export function orderedTypes(listed: readonly string[], known: readonly string[]): string[] {
  return [...known.filter((name) => listed.includes(name)), ...listed.filter((name) => !known.includes(name))];
}

export function detectionTypesText(): string {
  const listed = DETECTORS.map(({ detector }) => detector.type);
  const lines = orderedTypes(listed, DETECTION_TYPES).map((name) => `  '${name}',`);
  return [
    '/* Written by scripts/generate-detection-types.ts from the list in src/detectors/registry.ts. */',
    'export const DETECTION_TYPES = [',
    ...lines,
    '] as const;',
    '',
  ].join('\n');
}

export function writeDetectionTypes(): void {
  writeFileSync(DETECTION_TYPES_FILE, detectionTypesText());
}

if (import.meta.main) writeDetectionTypes();
