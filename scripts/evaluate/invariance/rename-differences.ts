import { decodeRecord } from '../../../src/formats/records/decode-record.ts';
import { buildTrace } from '../../../src/formats/trace-model/build-trace.ts';
import { linesOf } from '../../../test/support/invariance/detected.ts';
import { RENAMES, type Rename, renamed } from '../../../test/support/invariance/rename.ts';
import { type LabelledRecord, unlabelled } from '../../fit/load-set.ts';
import { judged, models } from './judged-run.ts';

/** One run with other names, compared with the run as it is: `type/subtype severity @step`. */
export interface RenamedRun {
  rename: Rename;
  before: string[];
  removed: string[];
  added: string[];
}

/** The run with each kind of names replaced that it has. */
export function* renamedRuns(record: LabelledRecord): Generator<RenamedRun> {
  const { spans } = decodeRecord(unlabelled(record));
  const trace = buildTrace(spans, { models, isSettled: true });
  const before = linesOf(judged(trace));
  for (const rename of RENAMES) {
    const other = renamed(trace, rename);
    if (other === null) continue;
    const after = linesOf(judged(other.trace));
    const removed = before.filter((line) => !after.includes(line));
    const added = after.filter((line) => !before.includes(line));
    yield { rename, before, removed, added };
  }
}
