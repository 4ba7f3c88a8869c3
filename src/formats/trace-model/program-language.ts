import type { Span } from '../../core/span.ts';
import type { ProgramLanguage } from '../../core/trace.ts';
import { MISSTEP } from '../misstep/attributes.ts';

/** Values of `telemetry.sdk.language` (OpenTelemetry semantic conventions). */
const SDK_LANGUAGES: ReadonlyMap<unknown, ProgramLanguage> = new Map([
  ['python', 'python'],
  ['nodejs', 'javascript'],
  ['webjs', 'javascript'],
]);

/** Names of instrumentations: packages of npm with a scope, and modules of Python. */
const SCOPES: readonly (readonly [RegExp, ProgramLanguage])[] = [
  [/^@[a-z0-9-]{1,80}\//, 'javascript'],
  [/^(?:openinference|opentelemetry)\.instrumentation\./, 'python'],
];

/** The language of the program that recorded the spans: that of the first span that shows one; null if none does. */
export function programLanguage(spans: readonly Span[]): ProgramLanguage | null {
  const found = firstOf(spans, languageOf);
  return found ?? firstOf(spans, ({ scope }) => SCOPES.find(([pattern]) => pattern.test(scope.name))?.[1]);
}

function languageOf({ resource, attributes }: Span): ProgramLanguage | undefined {
  return SDK_LANGUAGES.get(resource['telemetry.sdk.language']) ?? SDK_LANGUAGES.get(attributes[MISSTEP.sdkLanguage]);
}

function firstOf<Value>(spans: readonly Span[], read: (span: Span) => Value | undefined): Value | null {
  for (const span of spans) {
    const value = read(span);
    if (value !== undefined) return value;
  }
  return null;
}
