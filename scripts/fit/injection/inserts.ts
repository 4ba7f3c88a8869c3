import { hash32 } from '../../../src/detectors/_models/hashed-ngrams.ts';
import type { Item } from './corpus.ts';

/** Maximum length of an inserted text. */
const ORDER_LIMIT = 240;
/** Documents shorter than this are too short for an insert to differ from the rest. */
const HOST_MIN = 60;

/**
 * Ordinary documents with an inserted request to a model, which resemble natural attacks. They are made from training items
 * only. Which text is inserted where depends only on the ids of the items.
 */
export function insertedItems(items: readonly Item[], limit: number): Item[] {
  const hosts = byHash(
    items.filter((item) => item.channel === 'data' && !item.isAttack && item.text.length >= HOST_MIN),
  );
  const isRecord = ({ set }: Item) => set === 'own-records';
  const [records, documents] = [hosts.filter(isRecord), rotated(hosts.filter((host) => !isRecord(host)))];
  const sources = sourcesOf(items);
  return Array.from({ length: limit }, (_, at) => at).flatMap((at) => {
    const isInRecord = records.length > 0 && at % 3 === 0;
    const host = isInRecord ? records[(at / 3) % records.length] : documents[at];
    if (host === undefined) return [];
    const [kind, own] = sources[Math.floor(at / 3) % sources.length]!;
    const chosen = own[Math.floor(at / sources.length) % own.length]!;
    return [insertedItem(host, kind, chosen.attack ?? chosen.text, at)];
  });
}

/** Inserted texts: requests of users, our own instructions and attacks, and known attacks in plain wording. */
function sourcesOf(items: readonly Item[]): [kind: string, from: Item[]][] {
  const ordinary = items.filter(
    ({ isTask, text, set }) => isTask && text.length <= ORDER_LIMIT && !/^tau-user|-prompts$/.test(set),
  );
  const plain = byHash(items.filter((item) => item.set === 'own-orders'));
  const attacks = byHash(items.filter((item) => item.set === 'own-attacks'));
  const known = byHash(
    items.filter((item) => item.channel === 'data' && item.attack !== undefined && item.attack.length <= ORDER_LIMIT),
  );
  return [
    ['requests', byHash(ordinary)],
    ['orders', plain],
    ['attacks', attacks],
    known.length > 0 ? ['known', known] : ['orders', plain],
    ['orders', plain],
  ];
}

/** Takes one item of each set in turn, so that no set dominates. */
function rotated(hosts: readonly Item[]): Item[] {
  const bySet = [...Map.groupBy(hosts, ({ set }) => set).values()];
  const longest = Math.max(0, ...bySet.map((list) => list.length));
  return Array.from({ length: longest }, (_, at) => bySet.flatMap((list) => list[at] ?? [])).flat();
}

function insertedItem(host: Item, kind: string, attack: string, at: number): Item {
  const text = insert(host.text.slice(0, 5000), attack.trim(), hash32(`${host.id} ${at}`));
  return {
    ...host,
    id: `inserted ${at} ${host.id}`,
    set: `inserted-${kind}`,
    record: '',
    isAttack: true,
    text,
    attack: attack.trim(),
    isTask: false,
  };
}

/** Inserts into a value of a record; in other texts at the beginning, the end, on a separate line, or after a sentence. */
function insert(text: string, attack: string, hash: number): string {
  const middle = Math.floor(text.length * (0.1 + ((hash >>> 8) % 80) / 100));
  if (/^["'\s]*[[{]/.test(text)) return insertIntoValue(text, attack, middle, hash);
  const place = hash % 5;
  if (place === 0) return `${attack}\n${text}`;
  if (place === 1) return `${text}\n${attack}`;
  if (place === 2) return splice(text, nextOf(text, /\n/g, middle), `\n${attack}\n`);
  if (place === 3) return splice(text, nextOf(text, /[.!?] /g, middle), ` ${attack} `);
  return splice(text, nextOf(text, /\n/g, middle), `\n\n${attack}\n\n`);
}

/** Replaces a text value, or appends to it. The value is the first one after `from`, otherwise the first of the text. */
function insertIntoValue(text: string, attack: string, from: number, hash: number): string {
  const value = nextOf(text, TEXT_VALUE, from) ?? nextOf(text, TEXT_VALUE, 0) ?? nextOf(text, ANY_VALUE, 0);
  if (value === null) return `${text}\n${attack}`;
  const quote = text[value - 1]!;
  const close = text.slice(value).search(quote === "'" ? /'(?=[,}\]])/ : /"(?=[,}\]\n])/);
  if (close === -1) return `${text}\n${attack}`;
  const prefix = hash % 3 === 0 ? `${text.slice(value, value + close)} ` : '';
  return text.slice(0, value) + prefix + attack.replaceAll('\n', ' ') + text.slice(value + close);
}

const TEXT_VALUE =
  /['"](?:description|content|notes?|review|message|bio|snippet|comment|summary|body|text|title)['"]: ?['"]/g;
const ANY_VALUE = /['"]: ?['"]/g;

function nextOf(text: string, pattern: RegExp, from: number): number | null {
  pattern.lastIndex = from;
  const match = pattern.exec(text);
  return match === null ? null : match.index + match[0].length;
}

function splice(text: string, at: number | null, piece: string): string {
  return at === null ? `${text}\n${piece.trim()}` : text.slice(0, at).trimEnd() + piece + text.slice(at).trimStart();
}

function byHash(items: readonly Item[]): Item[] {
  return items
    .map((item) => ({ item, hash: hash32(item.id) }))
    .sort((a, b) => a.hash - b.hash || (a.item.id < b.item.id ? -1 : 1))
    .map(({ item }) => item);
}
