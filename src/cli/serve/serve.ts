import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { type Logger, pino } from 'pino';
import { databaseFileOf } from '../../app/config.ts';
import { planOwnMemory } from '../../app/memory-plan.ts';
import { readOrCreateOperatorToken } from '../../app/operator-token.ts';
import { openLocalBackend } from '../../client/local-backend.ts';
import { AppError } from '../../core/app-error.ts';
import { SCOPES } from '../../features/_kit/caller.ts';
import { displayName } from '../../features/identity/display-name.ts';
import type { TenantService } from '../../features/identity/tenant.service.ts';
import { redactMessage } from '../../formats/redaction/redact-message.ts';
import { checkDataFolder } from '../../store/data-folder/check-data-folder.ts';
import type { CommandContext } from '../context.ts';
import { showDemo } from '../demo/show-demo.ts';
import { EXIT } from '../exit-code.ts';
import { confirm } from '../identity/prompt.ts';
import { LogOutput, standardError } from './log-output.ts';
import { logProcessEvents } from './process-log.ts';
import { restartWithAllocatorSettings } from './restart-with-allocator-settings.ts';
import type { ServeFlags } from './serve-config.ts';
import { toAppConfig, toHttpConfig, toMetricsListen } from './serve-config.ts';
import { CORRECTED, type RunningServer, startServer } from './start-server.ts';

/** Serves until a signal arrives, and returns that signal's exit code. */
export async function serve(context: CommandContext, flags: ServeFlags): Promise<number> {
  const { io, options, signal, print } = context;
  if (options.server !== null) throw new AppError('usage', 'serve is a server itself; omit --server (MISSTEP_SERVER).');
  if (options.tenant !== null && !displayName.safeParse(options.tenant).success)
    throw new AppError('usage', '--tenant takes a name of 1 to 200 characters without control characters.');
  if (io.stderr === process.stderr) restartWithAllocatorSettings();
  const level = io.env.MISSTEP_LOG_LEVEL ?? (io.stderr.isTTY ? 'warn' : 'info');
  const logger = openLog(io, level);
  // The folder is checked before anything in it is read: links and files of other users must not be followed.
  for (const correction of checkDataFolder(options.dataFolder)) logger.warn(correction, CORRECTED);
  const isFirstRun = !existsSync(databaseFileOf(options.dataFolder));
  const operatorToken = options.operatorToken ?? readOrCreateOperatorToken(options.dataFolder);
  const memory = planOwnMemory();
  const config = {
    app: toAppConfig(flags, options, io.env),
    http: {
      ...toHttpConfig(flags, operatorToken, io.env),
      maxBytesInFlight: memory.maxBytesInFlight,
      maxSentBytes: memory.maxBodyBytes,
      maxUnpackedBytes: memory.maxBodyBytes,
      provableToken: options.operatorToken === null ? operatorToken : null,
    },
    metricsListen: toMetricsListen(flags.metricsListen ?? io.env.MISSTEP_METRICS_LISTEN),
    memory,
  };
  const restoreProcess = logProcessEvents(logger);
  const server = await startServer(config, { clock: io.clock, logger }).catch((error) => {
    restoreProcess();
    throw error;
  });
  try {
    const tenant = await firstTenant(context, server);
    announce(context, server, tenant, await signInLink(server));
    if (isFirstRun && tenant === null) await offerDemo(context, server, logger);
    if (!signal.aborted) await once(signal, 'abort');
    return typeof signal.reason === 'number' ? signal.reason : EXIT.interrupted;
  } finally {
    if (io.stderr.isTTY) print.note('Closing.');
    else logger.info('closing');
    await server.close();
    restoreProcess();
  }
}

/** One JSON object per line. */
function openLog(io: CommandContext['io'], level: string): Logger {
  const options = { level, hooks: { streamWrite: redactMessage } };
  if (io.stderr !== process.stderr) return pino(options, io.stderr);
  const output = new LogOutput({
    target: standardError(),
    after: (ms, run) => void setTimeout(run, ms).unref(),
    droppedLine: (count) =>
      `${JSON.stringify({ level: 40, time: Date.now(), count, msg: 'log lines were dropped' })}\n`,
  });
  return pino(options, output);
}

type CreatedTenant = Awaited<ReturnType<TenantService['create']>>;

/** `serve --tenant NAME` on an empty store creates that tenant, so that one command starts a server and returns a key. */
async function firstTenant({ options }: CommandContext, { app }: RunningServer): Promise<CreatedTenant | null> {
  const name = options.tenant;
  if (name === null || !(await app.services.tenants.isFirstRun())) return null;
  return app.services.tenants.create({ name, isFirstRun: true });
}

/** For the only tenant, or for the operator if there is none. Null if there are several: `misstep link` creates their links. */
async function signInLink({ app }: RunningServer): Promise<string | null> {
  const { sessions, tenants, webAddress } = app.services;
  const { items, total } = await tenants.list({ page: 1, pageSize: 1, cursor: null });
  const [only] = items;
  if (total > 1) return null;
  const link = only
    ? await sessions.createLink(only.tenant_id, { keyId: null, scopes: SCOPES })
    : await sessions.createOperatorLink();
  return webAddress.signIn(link.token);
}

function announce(
  { print, options }: CommandContext,
  { url, metricsUrl }: RunningServer,
  tenant: CreatedTenant | null,
  link: string | null,
): void {
  const metrics = metricsUrl === null ? {} : { metrics: `${metricsUrl}/metrics` };
  const created = tenant === null ? {} : { tenant_id: tenant.tenant_id, api_key: tenant.api_key };
  const signIn = link === null ? {} : { sign_in: link };
  if (options.isJson)
    print.json({ url, api: `${url}/api/v1`, data: options.dataFolder, ...metrics, ...created, ...signIn });
  else
    print.data(
      `API: ${url}/api/v1\nOTLP traces: ${url}/v1/traces\nData folder: ${options.dataFolder}\n${metricsUrl === null ? '' : `Metrics: ${metricsUrl}/metrics\n`}`,
    );
  if (tenant !== null && !options.isJson)
    print.data(`Created tenant ${tenant.tenant_id}. API key (not shown again): ${tenant.api_key}\n`);
  if (options.isJson) return;
  print.data(
    link === null
      ? 'To open the dashboard, create a link with `misstep link --tenant TENANT`.\n'
      : `Open the dashboard within 10 minutes (the link works once): ${link}\n`,
  );
}

async function offerDemo(context: CommandContext, { app }: RunningServer, logger: Logger): Promise<void> {
  const { options, print, io, signal } = context;
  if (!options.isInteractive) {
    const hint = 'There are no traces yet. `misstep demo` adds example runs.';
    if (io.stderr.isTTY) print.note(hint);
    else logger.info(hint);
    return;
  }
  const { dataFolder } = options;
  const answer = await confirm(context, false, 'There are no traces yet. Add example runs?').catch((error) => {
    if (signal.aborted) return false;
    throw error;
  });
  if (!answer) return;
  const now = () => io.clock.now();
  const backend = openLocalBackend({
    open: async () => app,
    dataFolder,
    tenant: options.tenant,
    reading: null,
    now,
    onDrained: () => {},
  });
  await showDemo({ ...context, backend: async () => backend });
}
