import { counted } from '../../detectors/_kit/text.ts';
import type { Db } from '../../store/connection.ts';
import { countTracesOfIssues } from '../../store/issue.store.ts';
import type { DetectionTable } from '../../store/schema.ts';
import { type DetectionRecord, rowToDetectionRecord } from './detection.record.ts';

/** Kinds of detections whose weight grows with every other run that shows them, and the text of the explanation. */
const RECURRING: Readonly<Record<string, (runs: string) => string>> = {
  'tool_failure/never_worked': (runs) => `All calls to it failed in ${runs} of the same agent too.`,
};

/** Stored detections as records; the explanation of a recurring kind names the number of other runs. */
export async function toRecordsWithRuns(
  db: Db,
  tenantNo: number,
  rows: readonly DetectionTable[],
): Promise<DetectionRecord[]> {
  const issueIds = rows.flatMap((row) =>
    sentenceOf(row) !== undefined && row.issue_id !== null ? [row.issue_id] : [],
  );
  const runs = await countTracesOfIssues(db, tenantNo, [...new Set(issueIds)]);
  return rows.map((row) => {
    const others = row.issue_id === null ? 0 : (runs.get(row.issue_id) ?? 0) - 1;
    return withOtherRuns(rowToDetectionRecord(row), sentenceOf(row), others);
  });
}

function sentenceOf({ detection_type, subtype }: DetectionTable): ((runs: string) => string) | undefined {
  return RECURRING[`${detection_type}/${subtype}`];
}

function withOtherRuns(
  record: DetectionRecord,
  sentence: ((runs: string) => string) | undefined,
  others: number,
): DetectionRecord {
  if (sentence === undefined || others < 1) return record;
  return { ...record, explanation: `${record.explanation} ${sentence(counted(others, 'other run'))}` };
}
