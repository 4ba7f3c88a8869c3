import { hash32 } from '../../../src/detectors/_models/hashed-ngrams.ts';
import type { Item } from './corpus.ts';

const TEXT_KEYS = [
  'description',
  'content',
  'notes',
  'review',
  'message',
  'bio',
  'snippet',
  'comment',
  'summary',
  'body',
];
const SHAPES = ['details', 'results', 'items', 'data', 'record', 'entries'];
const NAMES = [
  'Ines Vogt',
  'Tarek Aydin',
  'Lou Martel',
  'Priya Raman',
  'Sam Okoro',
  'Mia Lindqvist',
  'Jo Tanaka',
  'Ben Acheson',
];
const SENTENCE_LIMIT = 160;

/**
 * Small tool results as models receive them: records of ids, names and dates with a sentence of a training document in each
 * text field. The public sets contain few of them without an attack.
 */
export function recordItems(items: readonly Item[], limit: number): Item[] {
  const sources = items
    .filter(({ set }) => set === 'passages' || set === 'answers' || set === 'own-statements')
    .flatMap(({ text, group }) =>
      sentencesOf(text)
        .slice(0, 2)
        .map((sentence) => ({ sentence, group })),
    )
    .map((source) => ({ ...source, hash: hash32(source.sentence) }))
    .sort((a, b) => a.hash - b.hash)
    .slice(0, limit * 3);
  return Array.from({ length: Math.min(limit, Math.floor(sources.length / 3)) }, (_, at) => {
    const used = sources.slice(at * 3, at * 3 + 1 + (at % 3));
    return {
      id: `own/records/${at}`,
      set: 'own-records',
      channel: 'data' as const,
      isAttack: false,
      text: recordText(
        used.map(({ sentence }) => sentence),
        at,
      ),
      group: used[0]!.group,
      record: '',
    };
  });
}

function sentencesOf(text: string): string[] {
  return text.split(/(?<=[.!?])\s+/).filter((sentence) => sentence.length >= 20 && sentence.length <= SENTENCE_LIMIT);
}

function recordText(sentences: readonly string[], at: number): string {
  const hash = hash32(`record ${at}`);
  const rows = sentences.map((sentence, row) => ({
    [`${row === 0 ? 'item' : 'entry'}_id`]: (hash % 90_000) + row,
    ...(hash % 2 === 0
      ? { author: NAMES[(hash + row) % NAMES.length]! }
      : { title: sentence.split(' ').slice(0, 3).join(' ') }),
    [TEXT_KEYS[(hash >>> 4) % TEXT_KEYS.length]!]: sentence,
    ...(hash % 3 === 0 ? { date: `2023-0${1 + (hash % 9)}-1${hash % 10}` } : {}),
    ...(hash % 5 === 0 ? { status: 'active', likes: hash % 300 } : {}),
  }));
  const value = { [SHAPES[(hash >>> 9) % SHAPES.length]!]: rows.length === 1 ? rows[0]! : rows };
  const json = JSON.stringify(value, null, hash % 7 === 0 ? 2 : 0);
  return hash % 4 === 0 ? json : pythonText(value, hash % 4 === 1);
}

/** As Python prints a dictionary, quoted again if `isQuoted`, as some harnesses do. */
function pythonText(value: unknown, isQuoted: boolean): string {
  const text = printed(value);
  return isQuoted ? `"${text}"` : text;
}

function printed(value: unknown): string {
  if (typeof value === 'string') return value.includes("'") ? `"${value}"` : `'${value}'`;
  if (Array.isArray(value)) return `[${value.map(printed).join(', ')}]`;
  if (typeof value === 'object' && value !== null)
    return `{${Object.entries(value)
      .map(([key, each]) => `'${key}': ${printed(each)}`)
      .join(', ')}}`;
  return String(value);
}
