import type { Kysely } from 'kysely';
import { AppError } from '../../core/app-error.ts';
import type { Clock } from '../../core/clock.ts';
import type { JsonText } from '../../core/json-text.ts';
import type { Span } from '../../core/span.ts';
import type { Database } from '../../store/schema.ts';
import { readChunks } from '../../store/span-chunk.store.ts';
import { mergeChunks } from '../../store/span-chunk.ts';
import { readTrace } from '../../store/trace.store.ts';
import type { CallOptions } from '../_kit/caller.ts';
import type { OffloadTask } from '../offload/task.ts';
import type { TaskRunner } from '../offload/task-runner.ts';
import { canonicalTraceId } from './canonical-trace-id.ts';
import type { SpanRecord, SpanWindowRecord, StateListRecord, TraceRecord } from './trace.record.ts';
import {
  oneSpanTask,
  spanWindowTask,
  statesTask,
  traceFindTask,
  traceGraphTask,
  traceOutlineTask,
  type Window,
  wholeTraceTask,
} from './trace.tasks.ts';
import type { Search, TraceFindRecord } from './trace-find.ts';
import type { TraceGraphRecord } from './trace-graph.ts';
import { createTraceListService, type TraceListService } from './trace-list.service.ts';
import type { TraceOutlineRecord } from './trace-outline.ts';

export interface TraceService extends TraceListService {
  /** With its spans and states, unless omitted. @throws AppError `not_found` */
  get(tenantId: string, traceId: string, options?: TraceParts & CallOptions): Promise<JsonText<TraceRecord>>;
  /** @throws AppError `not_found` */
  outline(tenantId: string, traceId: string, callOptions?: CallOptions): Promise<JsonText<TraceOutlineRecord>>;
  /** Spans by id or position. @throws AppError `not_found` */
  window(
    tenantId: string,
    traceId: string,
    window: { ids: string[] } | Window,
    callOptions?: CallOptions,
  ): Promise<JsonText<SpanWindowRecord>>;
  /** @throws AppError `not_found` */
  span(tenantId: string, traceId: string, spanId: string, callOptions?: CallOptions): Promise<JsonText<SpanRecord>>;
  /** Agents and tools with their calls and handoffs. @throws AppError `not_found` */
  graph(tenantId: string, traceId: string, callOptions?: CallOptions): Promise<JsonText<TraceGraphRecord>>;
  /** Finds a text in the steps, case-insensitively. @throws AppError `not_found` */
  find(
    tenantId: string,
    traceId: string,
    search: Search,
    callOptions?: CallOptions,
  ): Promise<JsonText<TraceFindRecord>>;
  /** @throws AppError `not_found` */
  /** With `spanId`, only the snapshots that this span recorded. */
  states(
    tenantId: string,
    traceId: string,
    options?: Partial<Window> & { spanId?: string | null } & CallOptions,
  ): Promise<JsonText<StateListRecord>>;
  /** Stored spans without duplicates. */
  spans(tenantId: string, traceId: string): Promise<Span[]>;
}

export interface TraceParts {
  hasSpans?: boolean;
  hasStates?: boolean;
}

export function createTraceService(options: {
  db: Kysely<Database>;
  clock: Clock;
  tasks: TaskRunner;
  tenantNoOf(tenantId: string): Promise<number>;
}): TraceService {
  const { db, tasks, tenantNoOf } = options;

  async function run<Input, Output>(
    task: OffloadTask<Input & { tenantNo: number; traceId: string }, Output>,
    address: { tenantId: string; traceId: string },
    input: Input,
    { signal }: CallOptions = {},
  ): Promise<JsonText<Output>> {
    const tenantNo = await tenantNoOf(address.tenantId);
    const traceId = canonicalTraceId(address.traceId);
    return tasks.start(task, { ...input, tenantNo, traceId }, { tenantNo, signal });
  }

  return {
    ...createTraceListService(options),
    get: (tenantId, traceId, { hasSpans = true, hasStates = true, signal } = {}) =>
      run(wholeTraceTask, { tenantId, traceId }, { hasSpans, hasStates }, { signal }),
    outline: (tenantId, traceId, callOptions) => run(traceOutlineTask, { tenantId, traceId }, {}, callOptions),
    window: (tenantId, traceId, window, callOptions) => run(spanWindowTask, { tenantId, traceId }, window, callOptions),
    span: (tenantId, traceId, spanId, callOptions) => run(oneSpanTask, { tenantId, traceId }, { spanId }, callOptions),
    graph: (tenantId, traceId, callOptions) => run(traceGraphTask, { tenantId, traceId }, {}, callOptions),
    find: (tenantId, traceId, search, callOptions) => run(traceFindTask, { tenantId, traceId }, search, callOptions),
    states: (tenantId, traceId, { from = 0, count = null, spanId = null, signal } = {}) =>
      run(statesTask, { tenantId, traceId }, { from, count, spanId }, { signal }),
    async spans(tenantId, traceId) {
      const tenantNo = await tenantNoOf(tenantId);
      const id = canonicalTraceId(traceId);
      if (!(await readTrace(db, tenantNo, id))) throw new AppError('not_found', `There is no trace ${traceId}.`);
      return mergeChunks(await readChunks(db, tenantNo, id), id);
    },
  };
}
