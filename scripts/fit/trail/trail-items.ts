import { isJsonObject, type JsonObject } from '../../../src/core/json.ts';
import type { Trace } from '../../../src/core/trace.ts';
import { createModelCatalog } from '../../../src/formats/model-catalog/catalog.ts';
import { decodeRecord } from '../../../src/formats/records/decode-record.ts';
import { buildTrace } from '../../../src/formats/trace-model/build-trace.ts';
import { type HeadRow, headRows } from '../../trail/trail-head.ts';
import { readTrailRun, type TrailRun } from '../../trail/trail-run.ts';
import { type LabelledRecord, loadSet, unlabelled } from '../load-set.ts';

export interface TrailItem {
  id: string;
  group: string;
  subset: 'GAIA' | 'SWE';
  trace: Trace;
  run: TrailRun;
  rows: HeadRow[];
  gold: TrailPair[];
  goldKeys: ReadonlySet<string>;
}

export interface TrailPair {
  spanId: string;
  category: string;
}

/** Annotated traces, sorted by id, with the input of the model. */
export function loadTrailItems(data?: string): TrailItem[] {
  const models = createModelCatalog();
  return loadSet('trail', data).map((record) => {
    const trace = buildTrace(decodeRecord(unlabelled(record)).spans, { models, isSettled: true });
    const run = readTrailRun(trace);
    const gold = goldOf(record);
    return {
      id: record.id,
      group: record.group,
      subset: String(record.meta.subset).startsWith('SWE') ? 'SWE' : 'GAIA',
      trace,
      run,
      rows: headRows(run),
      gold,
      goldKeys: new Set(gold.map(pairKey)),
    };
  });
}

function goldOf({ labels }: LabelledRecord): TrailPair[] {
  const errors = (Array.isArray(labels.errors) ? labels.errors : []).filter((one): one is JsonObject =>
    isJsonObject(one),
  );
  const pairs = errors.map((one) => ({ spanId: String(one.span_id), category: String(one.category) }));
  return [...new Map(pairs.map((pair) => [pairKey(pair), pair])).values()];
}

export function pairKey({ spanId, category }: TrailPair): string {
  return `${spanId} ${category}`;
}
