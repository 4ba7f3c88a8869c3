import { AppError } from '../../core/app-error.ts';
import {
  type AgentDetections,
  type AgentRun,
  countTracesOfAgent,
  detectionsOfAgent,
  newestRunsOfAgent,
  readAgent,
} from '../../store/agent-detail.store.ts';
import { openIssuesByAgent } from '../../store/issue.store.ts';
import { defineTask } from '../offload/task.ts';
import { toAgentRecord } from './agent.record.ts';
import { type AgentDetailRecord, MAX_TRACES, RECENT_RUNS } from './agent-detail.record.ts';

const DAY_MS = 86_400_000;
const MAX_KINDS = 100;

export interface AgentRequest {
  tenantNo: number;
  agentId: string;
  days: number;
  /** Unix milliseconds. */
  now: number;
}

export const agentDetailTask = defineTask<AgentDetailRecord>()<AgentRequest>({
  name: 'agents.get',
  kind: 'read',
  async *run({ db }, { tenantNo, agentId, days, now }) {
    const row = await readAgent(db, tenantNo, agentId);
    if (row === null) throw new AppError('not_found', 'There is no such agent.');
    const kinds = await detectionsOfAgent(db, tenantNo, agentId, { since: now - days * DAY_MS, limit: MAX_KINDS });
    const openIssues = await openIssuesByAgent(db, tenantNo, now);
    const detail: AgentDetailRecord = {
      ...toAgentRecord(row, openIssues.get(agentId) ?? 0, now),
      trace_count: await countTracesOfAgent(db, tenantNo, agentId, MAX_TRACES),
      recent: recentOf(await newestRunsOfAgent(db, tenantNo, agentId, RECENT_RUNS)),
      detections: kinds.map(toKind),
    };
    yield JSON.stringify(detail);
  },
});

function recentOf(runs: readonly AgentRun[]): AgentDetailRecord['recent'] {
  const countOf = (status: string) => runs.filter((run) => run.status === status).length;
  return {
    runs: runs.length,
    errors: countOf('error'),
    running: countOf('running'),
    frameworks: [...new Set(runs.map(({ framework }) => framework))].sort(),
    models: [...new Set(runs.flatMap(({ models }) => JSON.parse(models) as string[]))].sort(),
  };
}

function toKind(row: AgentDetections): AgentDetailRecord['detections'][number] {
  return row as AgentDetailRecord['detections'][number];
}
