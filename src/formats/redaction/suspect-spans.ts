import type { Span } from '../../core/span.ts';
import type { KeyNames } from './key-names.ts';
import { SpanTexts } from './span-texts.ts';
import type { SuspicionCache } from './suspicion-cache.ts';

/** Shorter texts are tested together: a separate test would cost more per call than per character. */
const MAX_SHORT_LENGTH = 200;
/** Limit for joined short texts, in characters. */
const MAX_JOINED_LENGTH = 4_000;

/** A span with its intermediate result. */
interface Candidate {
  span: Span;
  isSuspect: boolean;
  /** Texts that are not yet tested. */
  short: string[];
}

/**
 * The spans that must be edited: most contain nothing to redact. A resource or scope that several spans share counts for
 * the first of them.
 */
export function suspectSpans(spans: readonly Span[], looks: SuspicionCache, names: KeyNames): Span[] {
  let waiting: Candidate[] = [];
  let length = 0;
  const suspects: Span[] = [];
  const flush = () => {
    for (const { span } of suspectsOf(waiting, looks)) suspects.push(span);
    waiting = [];
    length = 0;
  };

  let current: Candidate;
  const texts = new SpanTexts(names, (text) => {
    if (text.length >= MAX_SHORT_LENGTH) {
      if (!current.isSuspect && looks.of(text) !== null) current.isSuspect = true;
      return;
    }
    current.short.push(text);
    length += text.length;
  });
  const shared = new Set<Span['resource'] | Span['scope']>();
  for (const span of spans) {
    current = { span, isSuspect: false, short: [] };
    texts.hasSecretName = false;
    texts.ofSpan(span);
    if (!shared.has(span.resource)) texts.ofMembers(span.resource);
    if (!shared.has(span.scope)) texts.ofScope(span.scope);
    shared.add(span.resource).add(span.scope);
    if (texts.hasSecretName) current.isSuspect = true;
    waiting.push(current);
    if (length >= MAX_JOINED_LENGTH) flush();
  }
  flush();
  return suspects;
}

function suspectsOf(candidates: readonly Candidate[], looks: SuspicionCache): Candidate[] {
  const open = candidates.filter(({ isSuspect }) => !isSuspect);
  const areClean = looks.areClean(open.flatMap(({ short }) => short));
  const suspects = candidates.filter(({ isSuspect, short }) => isSuspect || !(areClean || looks.areClean(short)));
  for (const { short } of suspects) looks.learn(short);
  return suspects;
}
