import type { Json, JsonObject } from '../../core/json.ts';
import type { Attributes, Span } from '../../core/span.ts';
import { lookOver } from './first-look.ts';
import type { RedactionKind } from './kinds.ts';
import { isMarker, markerOf, splitAtMarkers } from './marker.ts';
import { afterLead, type Cue, type Pattern } from './pattern.ts';
import { isPlaceholder, looksLikeCredential, type SecretName, secretOfKey } from './secret-names.ts';

/** How many secrets were replaced, by kind; kinds that did not occur are left out. */
export interface RedactionReport {
  total: number;
  counts: Partial<Record<RedactionKind, number>>;
}

/** What all runs of one redactor share. */
export interface RedactionRules {
  kinds: ReadonlySet<RedactionKind>;
  /** In the order they are tried. */
  patterns: readonly Pattern[];
  cues: readonly Cue[];
  salt: string;
  names: SecretNames;
}

/** The shortest text any pattern fires on. */
const SHORTEST = 6;
/** A replacement can lay bare another secret beside it; in practice the second round finds nothing. */
const MOST_ROUNDS = 8;
const DEEPEST = 256;

/** One run over spans, a text or a value, counting as it goes. */
export class RedactionRun {
  readonly report: RedactionReport = { total: 0, counts: {} };
  private readonly rules: RedactionRules;
  private cues: readonly Cue[];

  constructor(rules: RedactionRules) {
    this.rules = rules;
    this.cues = rules.cues;
  }

  spans(spans: readonly Span[]): void {
    const look = lookOver(spans, this.rules.cues, this.rules.names);
    if (look.cues.length === 0 && !look.hasSecretNames) return;
    this.cues = look.cues;
    const resources = new Set<Attributes>();
    for (const span of spans) {
      span.name = this.text(span.name);
      span.status.message = this.text(span.status.message);
      this.members(span.attributes);
      for (const event of span.events) {
        event.name = this.text(event.name);
        this.members(event.attributes);
      }
      for (const link of span.links) this.members(link.attributes);
      resources.add(span.resource);
    }
    for (const resource of resources) this.members(resource);
  }

  /** Redacts the values of an object in place. */
  private members(attributes: Attributes): void {
    for (const key in attributes) {
      const value = attributes[key]!;
      const redacted = this.json(value, key, 0);
      if (redacted !== value) setOwn(attributes, key, redacted);
    }
  }

  /** The value itself where nothing was redacted, else a copy; `key` is the name it stands under. */
  json(value: Json, key: string | null, depth: number): Json {
    if (typeof value === 'string') return this.namedText(value, key);
    if (typeof value === 'number') return this.namedNumber(value, key);
    if (typeof value !== 'object' || value === null) return value;
    if (depth >= DEEPEST) return '[truncated: nested too deep]';
    return Array.isArray(value) ? this.array(value, key, depth) : this.object(value, depth);
  }

  private array(values: Json[], key: string | null, depth: number): Json {
    let copy: Json[] | null = null;
    for (let index = 0; index < values.length; index += 1) {
      const redacted = this.json(values[index]!, key, depth + 1);
      if (redacted === values[index]) continue;
      copy ??= values.slice();
      copy[index] = redacted;
    }
    return copy ?? values;
  }

  private object(value: JsonObject, depth: number): Json {
    if (isTagged(value)) return value;
    let copy: JsonObject | null = null;
    for (const key of Object.keys(value)) {
      const redacted = this.json(value[key]!, key, depth + 1);
      if (redacted === value[key]) continue;
      copy ??= { ...value };
      setOwn(copy, key, redacted);
    }
    return copy ?? value;
  }

  private namedText(value: string, key: string | null): string {
    const name = key === null ? null : this.rules.names.of(key);
    if (name === null || !this.rules.kinds.has(name.kind)) return this.text(value);
    if (isMarker(value) || isPlaceholder(value)) return value;
    if (name.isDoubtful && !looksLikeCredential(value)) return this.text(value);
    return this.marker(name.kind, value.replace(/^(?:bearer|basic|token)\s{1,4}/i, ''));
  }

  private namedNumber(value: number, key: string | null): Json {
    const name = key === null ? null : this.rules.names.of(key);
    if (name?.kind !== 'password' || !this.rules.kinds.has('password')) return value;
    return this.marker('password', String(value));
  }

  text(text: string): string {
    if (text.length < SHORTEST) return text;
    let suspects: Set<Pattern> | null = null;
    for (const { regex, patterns } of this.cues) {
      if (!regex.test(text)) continue;
      suspects ??= new Set();
      for (const pattern of patterns) suspects.add(pattern);
    }
    return suspects === null
      ? text
      : this.rounds(
          text,
          this.rules.patterns.filter((pattern) => suspects.has(pattern)),
        );
  }

  private rounds(text: string, patterns: readonly Pattern[]): string {
    let current = text;
    for (let round = 0; round < MOST_ROUNDS; round += 1) {
      const next = this.round(current, patterns);
      if (next === current) return current;
      current = next;
    }
    return current;
  }

  private round(text: string, patterns: readonly Pattern[]): string {
    let pieces = splitAtMarkers(text);
    for (const pattern of patterns) {
      pieces = pieces.flatMap((piece, index) => (index % 2 === 1 ? [piece] : this.cut(piece, pattern)));
    }
    return pieces.join('');
  }

  /** The text with its secrets cut out: text at even places, markers at odd ones. */
  private cut(text: string, pattern: Pattern): string[] {
    const { regex } = pattern;
    const pieces: string[] = [];
    let from = 0;
    let lead = '';
    regex.lastIndex = 0;
    for (let match = regex.exec(text); match !== null; match = regex.exec(text)) {
      const secret = pattern.locate === undefined ? afterLead(match, 0) : pattern.locate(match, text);
      const kind = secret?.kind ?? pattern.kind;
      if (secret === null || secret.end <= secret.start || !this.rules.kinds.has(kind)) {
        if (pattern.looksWithinRejected) regex.lastIndex = match.index + 1;
        continue;
      }
      const quote = secret.quote ?? '';
      pieces.push(
        lead + text.slice(from, secret.start) + quote,
        this.marker(kind, text.slice(secret.start, secret.end)),
      );
      lead = quote;
      from = secret.end;
      regex.lastIndex = secret.end;
    }
    pieces.push(lead + text.slice(from));
    return pieces;
  }

  private marker(kind: RedactionKind, secret: string): string {
    this.report.total += 1;
    this.report.counts[kind] = (this.report.counts[kind] ?? 0) + 1;
    return markerOf(kind, secret, this.rules.salt);
  }
}

/** `{$bytes}` and its like hold encoded data, not text. */
function isTagged(value: JsonObject): boolean {
  if (!('$bytes' in value || '$int64' in value || '$double' in value)) return false;
  return Object.keys(value).length === 1;
}

function setOwn(target: JsonObject, key: string, value: Json): void {
  Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
}

/** What keys say, remembered: the same few hundred keys come with every span. */
export class SecretNames {
  private readonly known = new Map<string, SecretName | null>();

  of(key: string): SecretName | null {
    const known = this.known.get(key);
    if (known !== undefined) return known;
    if (this.known.size >= 20_000) this.known.clear();
    const name = secretOfKey(key);
    this.known.set(key, name);
    return name;
  }
}
