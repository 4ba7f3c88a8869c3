import { countOverview, type OverviewTimes } from '../../store/overview.store.ts';
import { defineTask } from '../offload/task.ts';
import { type OverviewRecord, toOverviewRecord } from './overview.record.ts';

export const overviewTask = defineTask<OverviewRecord>()<OverviewTimes & { tenantNo: number }>({
  name: 'overview.get',
  kind: 'read',
  async *run({ db }, { tenantNo, ...times }) {
    yield JSON.stringify(toOverviewRecord(await countOverview(db, tenantNo, times), times));
  },
});
