import type { Kysely } from 'kysely';
import { z } from 'zod';
import { AppError } from '../../core/app-error.ts';
import { isJsonObject, type Json, type JsonObject, parseJson } from '../../core/json.ts';
import type { Change, Executor, ExecutorScope } from '../../platforms/healing/executor.ts';
import { formatJson } from '../../platforms/healing/format-json.ts';
import { planJson } from '../../platforms/healing/http-json.executor.ts';
import { jsonPointer } from '../../platforms/healing/json-pointer.ts';
import { rejectContent, rejectNoChange } from '../../platforms/healing/reject-change.ts';
import type { LangGraphAnswer, LangGraphClient, LangGraphServer } from '../../platforms/langgraph/langgraph-client.ts';
import type { RegistrationTable } from '../../store/integration-tables.ts';
import { readRegistration } from '../../store/registration.store.ts';
import type { Database } from '../../store/schema.ts';
import type { RegistrationService } from '../integrations/registration.service.ts';

const target = z.strictObject({
  assistant_id: z.string().max(100).describe('A registered assistant'),
  pointer: jsonPointer.default('/config').describe('Part of `{config, context}` that the changes are about (RFC 6901)'),
});
type Target = z.output<typeof target>;

/** The parts of an assistant that a write replaces. */
interface Managed {
  config: JsonObject;
  context: JsonObject;
}

/** The configuration of an assistant on a LangGraph server, which keeps the old content as an older version. */
export function createAssistantExecutor(options: {
  db: Kysely<Database>;
  client: LangGraphClient;
  registrations: Pick<RegistrationService, 'credentialsOf'>;
}): Executor<Target> {
  const { db, client, registrations } = options;

  async function find(scope: ExecutorScope, { assistant_id: id }: Target): Promise<Found> {
    const row = await readRegistration(db, scope.tenantNo, id);
    if (row?.integration !== 'graphruntime' || row.kind !== 'assistant' || row.parent_id === null) throw unknown();
    const deployment = await readRegistration(db, scope.tenantNo, row.parent_id);
    if (!deployment?.url) throw unknown();
    const server = { url: deployment.url, credentials: registrations.credentialsOf(deployment) };
    return { server, assistantId: row.external_id ?? (await ownAssistant(server, graphOf(row))) };
  }

  /** The assistant that the server created for the graph itself. */
  async function ownAssistant(server: LangGraphServer, graphId: string): Promise<string> {
    const listed = answeredValue(await client.assistantsOf(server, graphId));
    const all = Array.isArray(listed) ? listed.filter(isJsonObject) : [];
    const own = all.filter(({ metadata }) => isJsonObject(metadata) && metadata.created_by === 'system');
    const [found, ...others] = own.length > 0 ? own : all;
    if (found === undefined || others.length > 0)
      throw new AppError(
        'conflict',
        `The graph ${graphId} has ${all.length} assistants: register one with its external_id.`,
      );
    return String(found.assistant_id);
  }

  async function readManaged({ server, assistantId }: Found): Promise<{ managed: Managed; version: string | null }> {
    const value = answeredValue(await client.assistant(server, assistantId));
    if (!isJsonObject(value)) throw new AppError('conflict', 'The response of the deployment contains no assistant.');
    const version = typeof value.version === 'number' ? String(value.version) : null;
    return { managed: managedOf(value), version };
  }

  return {
    name: 'langgraph_assistant',
    target,
    describe: ({ assistant_id, pointer }) => `${assistant_id} ${pointer}`.trim(),
    async read(scope, to) {
      const { managed, version } = await readManaged(await find(scope, to));
      return { content: formatDocument(managed), version };
    },
    plan({ pointer }, content, changes) {
      const changed = planJson(content, pointer, withUnsetLimit(content, pointer, changes.map(withServerNames)));
      return rejectNoChange(content, formatDocument(checked(JSON.parse(changed) as Json)));
    },
    async write(scope, to, content, expected) {
      const found = await find(scope, to);
      const { managed, version } = await readManaged(found);
      if (version !== expected.version || formatDocument(managed) !== expected.content)
        throw new AppError('conflict', 'The assistant was changed in the meantime; nothing was written.');
      answeredValue(await client.changeAssistant(found.server, found.assistantId, changeTo(content, managed)));
    },
  };
}

interface Found {
  server: LangGraphServer;
  /** Its id on the server. */
  assistantId: string;
}

function unknown(): AppError {
  return new AppError('invalid_body', 'There is no such assistant.', {
    errors: [{ pointer: '/target/assistant_id', message: 'is not a registered assistant' }],
  });
}

function graphOf({ details }: RegistrationTable): string {
  return String((JSON.parse(details) as JsonObject).graph_id);
}

function answeredValue(answer: LangGraphAnswer): Json {
  if (answer.kind === 'answered') return answer.value;
  if (answer.kind === 'too_large') throw new AppError('conflict', 'The answer of the deployment is too large.');
  throw new AppError(answer.isFinal ? 'conflict' : 'unreachable', answer.reason);
}

function managedOf({ config, context }: JsonObject): Managed {
  return { config: isJsonObject(config) ? config : {}, context: isJsonObject(context) ? context : {} };
}

/** Servers that keep a copy of `configurable` as the context would otherwise receive one change twice. */
function formatDocument({ config, context }: Managed): string {
  const isMirror = formatJson(context) === formatJson(config.configurable ?? {});
  return formatJson(isMirror || Object.keys(context).length === 0 ? { config } : { config, context });
}

/** Only the differences: servers reject a config and a context in one request. */
function changeTo(content: string, from: Managed): JsonObject {
  const to = managedOf(JSON.parse(content) as JsonObject);
  const isSame = (name: keyof Managed) => formatJson(to[name]) === formatJson(from[name]);
  const hadContext = 'context' in (JSON.parse(formatDocument(from)) as JsonObject);
  const hasContext = 'context' in (JSON.parse(content) as JsonObject);
  return {
    ...(isSame('config') ? {} : { config: to.config }),
    ...((hadContext || hasContext) && !isSame('context') ? { context: to.context } : {}),
  };
}

/** LangGraph.js spells the limit differently than a server. */
function withServerNames(change: Change): Change {
  return change.format === 'json-patch'
    ? { ...change, after: change.after.replaceAll('/recursionLimit', '/recursion_limit') }
    : change;
}

/** An unset limit is the server's default: replacing it means setting it. */
function withUnsetLimit(content: string, pointer: string, changes: readonly Change[]): Change[] {
  const { config } = managedOf(JSON.parse(content) as JsonObject);
  if ('recursion_limit' in config) return [...changes];
  return changes.map((change) => {
    const operations = change.format === 'json-patch' ? parseJson(change.after) : undefined;
    if (!Array.isArray(operations)) return change;
    return { ...change, after: JSON.stringify(operations.map((operation) => added(operation, pointer))) };
  });
}

function added(operation: Json, pointer: string): Json {
  if (!isJsonObject(operation) || operation.op !== 'replace') return operation;
  return `${pointer}${operation.path}` === '/config/recursion_limit' ? { ...operation, op: 'add' } : operation;
}

/** Changes that a server would reject, or accept and ignore. */
function checked(changed: Json): Managed {
  if (!isJsonObject(changed) || !isJsonObject(changed.config) || !isJsonObject(changed.context ?? {}))
    rejectContent('config and context must be objects');
  const others = Object.keys(changed).filter((name) => name !== 'config' && name !== 'context');
  if (others.length > 0) rejectContent(`an assistant has config and context, and no ${others.join(', ')} to change`);
  const { recursion_limit: limit } = changed.config;
  if (limit !== undefined && !(Number.isInteger(limit) && Number(limit) >= 1))
    rejectContent('recursion_limit must be a whole number from 1');
  return managedOf(changed);
}
