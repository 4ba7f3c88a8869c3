import type { Kysely } from 'kysely';
import type { Clock } from '../../core/clock.ts';
import type { JsonText } from '../../core/json-text.ts';
import { listAgents } from '../../store/agent.store.ts';
import { openIssuesByAgent } from '../../store/issue.store.ts';
import type { Database } from '../../store/schema.ts';
import type { CallOptions } from '../_kit/caller.ts';
import type { TaskRunner } from '../offload/task-runner.ts';
import { type AgentRecord, toAgentRecord } from './agent.record.ts';
import { agentDetailTask } from './agent.tasks.ts';
import type { AgentDetailRecord } from './agent-detail.record.ts';

export interface AgentService {
  /** Most recently seen first. */
  list(tenantId: string): Promise<AgentRecord[]>;
  /** @param days of detections @throws AppError `not_found` */
  get(tenantId: string, agentId: string, days: number, callOptions?: CallOptions): Promise<JsonText<AgentDetailRecord>>;
}

export function createAgentService(options: {
  db: Kysely<Database>;
  clock: Clock;
  tasks: TaskRunner;
  tenantNoOf(tenantId: string): Promise<number>;
}): AgentService {
  return {
    async list(tenantId) {
      const { db, clock } = options;
      const tenantNo = await options.tenantNoOf(tenantId);
      const now = clock.now();
      const [rows, openIssues] = await Promise.all([listAgents(db, tenantNo), openIssuesByAgent(db, tenantNo, now)]);
      return rows.map((row) => toAgentRecord(row, openIssues.get(row.agent_id) ?? 0, now));
    },
    async get(tenantId, agentId, days, { signal } = {}) {
      const tenantNo = await options.tenantNoOf(tenantId);
      const request = { tenantNo, agentId, days, now: options.clock.now() };
      return options.tasks.start(agentDetailTask, request, { tenantNo, signal });
    },
  };
}
