import { agentDetailTask } from '../agents/agent.tasks.ts';
import { analyticsSeriesTask } from '../analytics/series.tasks.ts';
import { codingSessionTasks } from '../coding-sessions/coding-session.tasks.ts';
import { conversationTasks } from '../conversations/conversation.tasks.ts';
import { exportTracesTask } from '../export/export.tasks.ts';
import { issueTasks } from '../issues/issue.tasks.ts';
import { overviewTask } from '../overview/overview.tasks.ts';
import { platforms } from '../platforms.ts';
import { securityTasks } from '../security/security.tasks.ts';
import { judgeTwiceTask } from '../settings/threshold-preview.tasks.ts';
import { traceTasks } from '../traces/trace.tasks.ts';
import { traceListTasks } from '../traces/trace-list.tasks.ts';
import type { OffloadTask } from './task.ts';

/** Everything that can run in a worker thread. */
// biome-ignore lint/suspicious/noExplicitAny: a list of tasks of all shapes
export const offloadTasks: readonly OffloadTask<any>[] = [
  ...traceTasks,
  ...traceListTasks,
  ...conversationTasks,
  ...codingSessionTasks,
  ...issueTasks,
  ...securityTasks,
  agentDetailTask,
  overviewTask,
  analyticsSeriesTask,
  exportTracesTask,
  judgeTwiceTask,
  ...platforms.flatMap(({ tasks }) => tasks),
];
