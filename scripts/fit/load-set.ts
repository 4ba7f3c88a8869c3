import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { JsonObject } from '../../src/core/json.ts';

/** Folder of the labelled public sets, relative to the root of the repository. */
export const DEFAULT_DATA = '../shared/datasets/dev';

/** The fields of a labelled record that fitting and scoring read; everything else is in `raw`. */
export interface LabelledRecord {
  id: string;
  dataset: string;
  kind: 'trace' | 'text' | 'text-pair';
  framework: string;
  text: string | null;
  sources: string[];
  labels: JsonObject;
  meta: JsonObject;
  group: string;
  /** The whole line; pass `unlabelled(record)` to decoders. */
  raw: JsonObject;
}

/** Records of a set, sorted by id; an empty list if the set is missing. */
export function loadSet(set: string, data = DEFAULT_DATA): LabelledRecord[] {
  const file = join(data, `${set}.jsonl.gz`);
  if (!existsSync(file)) return [];
  const lines = gunzipSync(readFileSync(file)).toString('utf8').split('\n').filter(Boolean);
  return lines.map((line) => toRecord(JSON.parse(line) as JsonObject)).sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** `--data DIR` of a script's arguments, else the default. */
export function dataFolder(args: readonly string[] = process.argv.slice(2)): string {
  const at = args.indexOf('--data');
  return at === -1 ? DEFAULT_DATA : (args[at + 1] ?? DEFAULT_DATA);
}

/** The record as a user would have it, without labels of its outcome. */
export function unlabelled(record: LabelledRecord): JsonObject {
  const { labels: _labels, meta: _meta, group: _group, label_source: _source, ...rest } = record.raw;
  return rest;
}

function toRecord(raw: JsonObject): LabelledRecord {
  return {
    id: raw.id as string,
    dataset: raw.dataset as string,
    kind: raw.kind as LabelledRecord['kind'],
    framework: (raw.framework as string | null) ?? '',
    text: raw.text as string | null,
    sources: (raw.sources as string[] | null) ?? [],
    labels: (raw.labels as JsonObject | null) ?? {},
    meta: (raw.meta as JsonObject | null) ?? {},
    group: (raw.group as string | null) ?? (raw.id as string),
    raw,
  };
}
