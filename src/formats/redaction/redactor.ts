import type { Json } from '../../core/json.ts';
import type { Span } from '../../core/span.ts';
import { enabledKinds, type RedactionKind, type RedactionOptions } from './kinds.ts';
import type { Pattern } from './pattern.ts';
import { PERSONAL_CUES, PERSONAL_PATTERNS } from './personal-patterns.ts';
import { type RedactionReport, type RedactionRules, RedactionRun, SecretNames } from './redaction-run.ts';
import { SECRET_CUES, SECRET_PATTERNS } from './secret-patterns.ts';

export type { RedactionKind, RedactionOptions } from './kinds.ts';
export type { RedactionReport } from './redaction-run.ts';

/** Replaces secrets by markers such as `[redacted:api_key:3f9c]`. What it has redacted once it leaves as it is. */
export interface Redactor {
  /** Redacts names, messages and attribute values of the spans in place; keys and ids stay. */
  redactSpans(spans: readonly Span[]): RedactionReport;
  redactText(text: string): string;
  /** A copy where something was redacted, the value itself where nothing was. */
  redactJson(value: Json): Json;
}

export function createRedactor(options: RedactionOptions): Redactor {
  const kinds = enabledKinds(options);
  const rules = rulesFor(kinds, options.salt);
  return {
    redactSpans(spans) {
      const run = new RedactionRun(rules);
      if (kinds.size > 0) run.spans(spans);
      return run.report;
    },
    redactText: (text) => new RedactionRun(rules).text(text),
    redactJson: (value) => new RedactionRun(rules).json(value, null, 0),
  };
}

function rulesFor(kinds: ReadonlySet<RedactionKind>, salt: string): RedactionRules {
  const isOn = ({ kind, otherKinds = [] }: Pattern) => [kind, ...otherKinds].some((each) => kinds.has(each));
  const cues = [...SECRET_CUES, ...PERSONAL_CUES].map(({ regex, patterns }) => ({
    regex,
    patterns: patterns.filter(isOn),
  }));
  return {
    kinds,
    patterns: [...SECRET_PATTERNS, ...PERSONAL_PATTERNS].filter(isOn),
    cues: cues.filter(({ patterns }) => patterns.length > 0),
    salt,
    names: new SecretNames(),
  };
}
