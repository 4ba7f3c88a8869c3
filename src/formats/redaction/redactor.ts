import type { Json } from '../../core/json.ts';
import type { Span } from '../../core/span.ts';
import { CueScanner } from './cue-scanner.ts';
import { BROKEN_KEY_CUE } from './key-finder.ts';
import { KeyNames } from './key-names.ts';
import { enabledKinds, type RedactionKind, type RedactionOptions, SECRET_KINDS } from './kinds.ts';
import type { Pattern } from './pattern.ts';
import { PERSONAL_CUES, PERSONAL_PATTERNS } from './personal-patterns.ts';
import { type RedactionReport, type RedactionRules, RedactionRun } from './redaction-run.ts';
import { SECRET_CUES, SECRET_PATTERNS } from './secret-patterns.ts';
import { SeenSecrets } from './seen-secrets.ts';

export type { RedactionKind, RedactionOptions } from './kinds.ts';
export type { RedactionReport } from './redaction-run.ts';

/** Replaces secrets by markers such as `[redacted:api_key:3f9c]`. Redacting twice changes nothing. */
export interface Redactor {
  /**
   * Redacts names, keys, values, messages and ids of the spans in place. An id that contains a secret becomes its keyed
   * hash, the same in every request. With `tenant`, secrets of earlier calls for a trace are found again in any spelling.
   */
  redactSpans(spans: readonly Span[], tenant?: string): RedactionReport;
  redactText(text: string): string;
  /** A copy if something was redacted, else the value itself. */
  redactJson(value: Json): Json;
}

export function createRedactor(options: RedactionOptions): Redactor {
  const kinds = enabledKinds(options);
  const rules = rulesFor(kinds, options.salt);
  const seenSecrets = new SeenSecrets();
  return {
    redactSpans(spans, tenant) {
      const run = new RedactionRun(rules);
      if (kinds.size === 0) return run.report;
      const hasSeen = tenant !== undefined && !seenSecrets.isEmpty;
      run.spans(spans, hasSeen ? (traceId) => seenSecrets.of(tenant, traceId) : null);
      if (rules.hasSecretKinds && tenant !== undefined)
        for (const [traceId, secrets] of run.found) seenSecrets.add(tenant, traceId, secrets);
      return run.report;
    },
    redactText: (text) => (kinds.size === 0 ? text : new RedactionRun(rules).text(text)),
    redactJson: (value) => (kinds.size === 0 ? value : new RedactionRun(rules).json(value)),
  };
}

function rulesFor(kinds: ReadonlySet<RedactionKind>, salt: string): RedactionRules {
  const isOn = ({ kind, otherKinds = [] }: Pattern) => [kind, ...otherKinds].some((each) => kinds.has(each));
  const hasSecretKinds = SECRET_KINDS.some((kind) => kinds.has(kind));
  const cues = [...SECRET_CUES, ...PERSONAL_CUES].map((cue) => ({ ...cue, patterns: cue.patterns.filter(isOn) }));
  return {
    kinds,
    patterns: [...SECRET_PATTERNS, ...PERSONAL_PATTERNS].filter(isOn),
    cues: new CueScanner([
      ...(hasSecretKinds ? [BROKEN_KEY_CUE] : []),
      ...cues.filter(({ patterns }) => patterns.length > 0),
    ]),
    salt,
    names: new KeyNames(),
    hasSecretKinds,
  };
}
