import type { Detection } from '../../core/detection.ts';
import { detectionsOfTrace } from '../../store/detection.store.ts';
import { isCounted } from '../detections/counted.ts';
import { defineTask } from '../offload/task.ts';
import type { SessionReport } from './report.record.ts';
import { sessionReport } from './session-report.ts';
import { itemOfRow } from './session-row.ts';

export const sessionReportTask = defineTask<SessionReport>()<{ tenantNo: number; traceId: string }>({
  name: 'coding-sessions.report',
  kind: 'read',
  async *run(context, { tenantNo, traceId }) {
    const { row, trace } = await context.traces.read(context, tenantNo, traceId);
    const rows = await detectionsOfTrace(context.db, tenantNo, traceId);
    const detections = rows.filter(isCounted).map(({ body }) => JSON.parse(body) as Detection);
    yield JSON.stringify(sessionReport({ item: itemOfRow(row), trace, detections }, context.models));
  },
});

export const codingSessionTasks = [sessionReportTask];
