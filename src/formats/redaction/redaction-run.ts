import type { Json } from '../../core/json.ts';
import type { Span } from '../../core/span.ts';
import { SCHEME } from './assignment.ts';
import type { CueScanner } from './cue-scanner.ts';
import { undisguise, type View } from './disguise.ts';
import { editJson, editSpans, type SpanEdit } from './edit-spans.ts';
import { findEncodedText } from './encoded-text.ts';
import type { KeyNames } from './key-names.ts';
import type { RedactionKind } from './kinds.ts';
import { type LocatedSecret, locateSecrets } from './locate-secrets.ts';
import { isMarker, keyedId, markerOf } from './marker.ts';
import type { Pattern } from './pattern.ts';
import { issuedKind, plainSecret, withoutBreaks } from './plain-secret.ts';
import { SecretEchoes } from './secret-echoes.ts';
import { isPlaceholder, looksLikeCredential, type SecretName } from './secret-names.ts';
import type { SecretKinds } from './seen-secrets.ts';
import { isPlainId } from './span-texts.ts';
import { suspectSpans } from './suspect-spans.ts';
import { patternsFor, SuspicionCache } from './suspicion-cache.ts';
import { findWrappedKeys } from './wrapped-keys.ts';

/** Number of replaced secrets by kind; kinds that did not occur are omitted. */
export interface RedactionReport {
  total: number;
  counts: Partial<Record<RedactionKind, number>>;
}

/** Configuration shared by all runs of one redactor. */
export interface RedactionRules {
  kinds: ReadonlySet<RedactionKind>;
  /** In the order in which they are tried. */
  patterns: readonly Pattern[];
  cues: CueScanner;
  salt: string;
  names: KeyNames;
  hasSecretKinds: boolean;
}

/** A replacement can expose an adjacent secret; in practice the second round finds nothing. */
const MAX_ROUNDS = 8;
/** Limit for nested encodings: base64 of base64 of a secret is still found. */
const MAX_ENCODINGS = 3;

/** One redaction of spans, a text or a value, with counts. */
export class RedactionRun {
  readonly report: RedactionReport = { total: 0, counts: {} };
  /** Known secrets by trace; '' outside spans. */
  readonly found = new Map<string, Map<string, RedactionKind>>();
  private readonly rules: RedactionRules;
  private readonly looks: SuspicionCache;
  private traceId = '';

  constructor(rules: RedactionRules) {
    this.rules = rules;
    this.looks = new SuspicionCache(rules);
  }

  /** `seen`: secrets found earlier in the traces of these spans, by stored trace id; null if there are none. */
  spans(spans: readonly Span[], seen: ((traceId: string) => SecretKinds | null) | null): void {
    editSpans(suspectSpans(spans, this.looks, this.rules.names), this.edit());
    this.replaceEchoes(spans, seen);
  }

  /** The value itself if nothing was redacted, else a copy. */
  json(value: Json): Json {
    const redacted = editJson(value, null, this.edit());
    const echoes = this.echoes([]);
    return echoes === null ? redacted : editJson(redacted, null, this.echoEdit(echoes));
  }

  private edit(): SpanEdit {
    return {
      text: (text, key) => this.namedText(text, key),
      number: (value, key) => this.namedNumber(value, key),
      key: (key) => this.key(key),
      isSecret: (key) => this.isSecret(key),
      id: (id) => this.id(id),
      enter: (span) => {
        this.traceId = this.id(span.traceId);
      },
    };
  }

  private replaceEchoes(spans: readonly Span[], seen: ((traceId: string) => SecretKinds | null) | null): void {
    const traceIds = new Set(seen === null ? [] : spans.map(({ traceId }) => traceId));
    const echoes = this.echoes([...traceIds].flatMap((traceId) => seen?.(traceId) ?? []));
    if (echoes !== null) editSpans(spans, this.echoEdit(echoes));
  }

  /** Null if no secret was found. */
  private echoes(seen: readonly SecretKinds[]): SecretEchoes | null {
    if (!this.rules.hasSecretKinds || (this.found.size === 0 && seen.length === 0)) return null;
    const echoes = new SecretEchoes();
    for (const secrets of [...this.found.values(), ...seen]) {
      for (const [secret, kind] of secrets) echoes.add(secret, kind);
    }
    return echoes.isEmpty ? null : echoes;
  }

  /** Ids are not compared with known secrets: replacing one must not depend on earlier data. */
  private echoEdit(echoes: SecretEchoes): SpanEdit {
    const replace = (text: string) => echoes.replace(text, (kind, secret) => this.marker(kind, secret));
    return {
      text: (text, key) => (key !== null && this.rules.names.of(key).isId ? text : replace(text)),
      number: (value) => value,
      key: replace,
      isSecret: () => false,
      id: (id) => id,
      enter: (span) => {
        this.traceId = span.traceId;
      },
    };
  }

  private isSecret(key: string): boolean {
    const name = this.rules.names.of(key).secret;
    return name !== null && !name.isDoubtful && this.rules.kinds.has(name.kind);
  }

  private namedText(value: string, key: string | null): string {
    if (key === null) return this.text(value);
    const { secret, isId } = this.rules.names.of(key);
    if (secret !== null && this.rules.kinds.has(secret.kind)) return this.secretText(value, secret);
    return isId ? this.id(value) : this.text(value);
  }

  private secretText(value: string, name: SecretName): string {
    if (isMarker(value) || isPlaceholder(value.replace(SCHEME, ''))) return value;
    if (name.isDoubtful && !looksLikeCredential(value)) return this.text(value);
    return this.marker(name.kind, value.replace(SCHEME, ''));
  }

  private namedNumber(value: number, key: string | null): Json {
    const name = key === null ? null : this.rules.names.of(key).secret;
    if (name?.kind !== 'password' || !this.rules.kinds.has('password')) return value;
    return this.marker('password', String(value));
  }

  private key(key: string): string {
    return this.rules.names.of(key).isHarmless ? key : this.text(key);
  }

  /** Ids stay distinguishable: an id that contains a secret becomes its keyed hash. */
  id(id: string): string {
    return isPlainId(id) || this.text(id) === id ? id : keyedId(id, this.rules.salt);
  }

  text(text: string, encodings = 0): string {
    const look = this.looks.of(text);
    if (look === null) return text;
    // A disguised or broken token often starts with enough characters to look like a whole one: these come first.
    let current = look.isDisguised ? this.undisguised(text) : text;
    // The test refers to the original text.
    if ((look.mayHaveBrokenKey || current !== text) && this.rules.hasSecretKinds) current = this.joined(current);
    current = this.plain(current, current === text ? look.patterns : patternsFor(current, this.rules));
    if ((look.hasEncoded || current !== text) && encodings < MAX_ENCODINGS) current = this.decoded(current, encodings);
    return current;
  }

  private joined(text: string): string {
    const wanted = findWrappedKeys(text).filter(({ kind }) => this.rules.kinds.has(kind!)) as LocatedSecret[];
    // The marker is that of the unbroken token.
    return this.replaced(text, wanted, withoutBreaks);
  }

  private plain(text: string, suspects: readonly Pattern[]): string {
    let current = text;
    let patterns = suspects;
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      const next = this.replaced(current, locateSecrets(current, patterns, this.rules.kinds));
      if (next === current) return current;
      current = next;
      // An adjacent marker can turn the middle of a word into its start.
      patterns = patternsFor(current, this.rules);
    }
    return current;
  }

  private undisguised(text: string): string {
    let current = text;
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      const view = undisguise(current);
      const secrets = locateSecrets(view.text, patternsFor(view.text, this.rules), this.rules.kinds);
      if (secrets.length === 0) return current;
      current = this.replaceInOriginal(current, view, secrets);
    }
    return current;
  }

  private decoded(text: string, encodings: number): string {
    let current = '';
    let from = 0;
    for (const { start, end, decoded } of findEncodedText(text)) {
      const inner = new RedactionRun(this.rules);
      if (inner.text(decoded, encodings + 1) === decoded) continue;
      const [secret, kind] = [...(inner.found.get('') ?? [])][0] ?? [decoded, 'secret' as const];
      current += text.slice(from, start) + this.marker(kind, secret);
      from = end;
    }
    return from === 0 ? text : current + text.slice(from);
  }

  private replaced(text: string, secrets: readonly LocatedSecret[], clean = (secret: string) => secret): string {
    if (secrets.length === 0) return text;
    let current = '';
    let from = 0;
    for (const { start, end, kind, quote = '' } of secrets) {
      current += text.slice(from, start) + quote + this.marker(kind, clean(text.slice(start, end))) + quote;
      from = end;
    }
    return current + text.slice(from);
  }

  private replaceInOriginal(text: string, view: View, secrets: readonly LocatedSecret[]): string {
    let current = '';
    let from = 0;
    for (const { start, end, kind } of secrets) {
      const [first, last] = [view.startOf(start), view.startOf(end)];
      current += text.slice(from, first) + this.marker(kind, view.text.slice(start, end));
      from = last;
    }
    return current + text.slice(from);
  }

  /** The digits depend only on the secret. Its kind is that of the issuer's form, else of the name at this place. */
  private marker(placeKind: RedactionKind, secret: string): string {
    const plain = isMarker(secret) ? secret : plainSecret(secret);
    const issued = issuedKind(plain);
    const kind = issued !== null && this.rules.kinds.has(issued) ? issued : placeKind;
    this.report.total += 1;
    this.report.counts[kind] = (this.report.counts[kind] ?? 0) + 1;
    if (!isMarker(secret)) for (const form of new Set([secret, plain])) this.note(form, kind);
    return markerOf(kind, plain, this.rules.salt);
  }

  private note(secret: string, kind: RedactionKind): void {
    const found = this.found.get(this.traceId) ?? new Map<string, RedactionKind>();
    found.set(secret, kind);
    this.found.set(this.traceId, found);
  }
}
