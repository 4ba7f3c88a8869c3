import { type AppConfig, DEFAULT_CONFIG } from '../../app/config.ts';
import { AppError } from '../../core/app-error.ts';
import { MAX_RETENTION_DAYS, retentionDays } from '../../features/deletion/retention.ts';
import { DEFAULT_HTTP_CONFIG, type HttpConfig } from '../../http/http-config.ts';
import { isLoopbackName } from '../../http/loopback.ts';
import { hostOfPublicUrl, type PublicUrl } from '../../http/public-url.ts';
import { toAlertConfig } from '../alert-config.ts';
import { toByteSize } from '../byte-size.ts';
import { toDatadogEndpoint } from '../datadog-config.ts';
import type { GlobalOptions } from '../global-options.ts';
import { assertNoSharedRoots, toHealingRoots } from '../healing-roots.ts';
import { toIntegrationConfig } from '../integration-config.ts';
import type { Io } from '../io.ts';
import { toJudgeConfig } from '../judge-config.ts';
import { toPaymentConfig } from '../payment-config.ts';
import { toPublicUrl } from '../public-url.ts';

export interface ServeFlags {
  host?: string;
  port?: string;
  durability?: string;
  publicUrl?: string;
  allowHost?: string[];
  corsOrigin?: string[];
  trustProxy?: string[];
  rateLimit?: string;
  redact?: string;
  openRegistration?: boolean;
  judgeUrl?: string;
  judgeModel?: string;
  judgeProvider?: string;
  allowPrivateWebhooks?: string[];
  allowPrivatePlatforms?: string[];
  metricsListen?: string;
  retention?: string;
  minFree?: string;
  healingRoot?: string[];
}

/** Default of `--min-free`. */
const MIN_FREE_BYTES = 256 * 1024 * 1024;

/** Flags, then environment, then defaults. @throws AppError `usage` */
export function toAppConfig(flags: ServeFlags, { dataFolder }: GlobalOptions, env: Io['env']): AppConfig {
  const durability = oneOf('--durability', flags.durability ?? env.MISSTEP_DURABILITY ?? 'normal', ['normal', 'full']);
  const integrations = toIntegrationConfig(env, flags.allowPrivatePlatforms, isSingleUser(flags, env));
  // An invalid key is reported at the start, not at the first webhook.
  integrations.readSecretKey();
  const healingRoots = toHealingRoots(flags.healingRoot, env);
  assertNoSharedRoots(healingRoots, flags.openRegistration ?? false);
  return {
    ...DEFAULT_CONFIG,
    dataFolder,
    durability,
    redaction: toRedaction(flags.redact ?? env.MISSTEP_REDACT ?? 'secrets'),
    judge: toJudgeConfig(flags, env),
    datadog: toDatadogEndpoint(env),
    payment: toPaymentConfig(env),
    alerts: toAlertConfig(env, flags.allowPrivateWebhooks),
    integrations,
    healingRoots,
    minFreeBytes: toByteSize('--min-free', flags.minFree ?? env.MISSTEP_MIN_FREE, MIN_FREE_BYTES),
    retentionDays: toRetentionDays(flags.retention ?? env.MISSTEP_RETENTION),
  };
}

/** @throws AppError `usage` */
export function toHttpConfig(flags: ServeFlags, operatorToken: string, env: Io['env']): HttpConfig {
  const rateLimit = oneOf('--rate-limit', flags.rateLimit ?? env.MISSTEP_RATE_LIMIT ?? 'on', ['on', 'off']);
  return {
    ...DEFAULT_HTTP_CONFIG,
    host: flags.host ?? env.MISSTEP_HOST ?? DEFAULT_HTTP_CONFIG.host,
    port: toPort(flags.port ?? env.MISSTEP_PORT),
    publicUrl: toPublicUrl(flags.publicUrl, env),
    allowedHosts: flags.allowHost ?? listOf(env.MISSTEP_ALLOW_HOST),
    corsOrigins: (flags.corsOrigin ?? listOf(env.MISSTEP_CORS_ORIGIN)).map(toCorsOrigin),
    trustedProxies: flags.trustProxy ?? listOf(env.MISSTEP_TRUST_PROXY),
    isRegistrationOpen: flags.openRegistration ?? false,
    rateLimits: rateLimit === 'off' ? null : DEFAULT_HTTP_CONFIG.rateLimits,
    operatorToken,
  };
}

/** The origin `null` is rejected: sandboxed pages of every site send it. @throws AppError `usage` */
function toCorsOrigin(text: string): string {
  const url = URL.parse(text);
  if (url !== null && /^https?:$/.test(url.protocol) && url.origin === text) return text;
  throw new AppError(
    'usage',
    `--cors-origin takes an origin such as https://app.example.com, without path or final slash, not ${JSON.stringify(text)}.`,
  );
}

/** Whether the server listens on this machine only and no setting indicates a proxy. */
function isSingleUser(flags: ServeFlags, env: Io['env']): boolean {
  const isOpened =
    flags.openRegistration ||
    !isLocal(toPublicUrl(flags.publicUrl, env)) ||
    (flags.allowHost ?? listOf(env.MISSTEP_ALLOW_HOST)).length > 0;
  const hasProxy = (flags.trustProxy ?? listOf(env.MISSTEP_TRUST_PROXY)).length > 0;
  return isLoopbackName(flags.host ?? env.MISSTEP_HOST ?? DEFAULT_HTTP_CONFIG.host) && !isOpened && !hasProxy;
}

function isLocal(publicUrl: PublicUrl | null): boolean {
  return publicUrl === null || isLoopbackName(hostOfPublicUrl(publicUrl));
}

const ADDRESS = /^(\[[0-9a-f:.]+\]|[^:]+):(\d{1,5})$/i;

/** This listener has no authentication, so it must not be reachable from elsewhere. @throws AppError `usage` */
export function toMetricsListen(text: string | undefined): { host: string; port: number } | null {
  if (!text) return null;
  const [, name, port] = ADDRESS.exec(text) ?? [];
  const host = name?.replace(/^\[|\]$/g, '');
  if (host === undefined || !isLoopbackName(host) || Number(port) > 65_535)
    throw new AppError(
      'usage',
      `--metrics-listen takes a loopback address and a port such as 127.0.0.1:9464, not ${JSON.stringify(text)}.`,
    );
  return { host, port: Number(port) };
}

function toPort(text: string | undefined): number {
  if (text === undefined || text === '') return DEFAULT_HTTP_CONFIG.port;
  const port = Number(text);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new AppError('usage', `--port takes a number from 0 to 65535, not ${JSON.stringify(text)}.`);
}

function toRetentionDays(text: string | undefined): number | null {
  if (text === undefined || text === '' || text === 'off') return null;
  const days = retentionDays.safeParse(Number(text));
  if (days.success) return days.data;
  throw new AppError(
    'usage',
    `--retention takes days from 1 to ${MAX_RETENTION_DAYS}, or off, not ${JSON.stringify(text)}.`,
  );
}

function toRedaction(text: string): AppConfig['redaction'] {
  const kinds = listOf(text);
  const known = ['secrets', 'personal-data', 'off'];
  const unknown = kinds.find((kind) => !known.includes(kind));
  if (unknown !== undefined)
    throw new AppError('usage', `--redact takes ${known.join(', ')}, not ${JSON.stringify(unknown)}.`);
  return { secrets: kinds.includes('secrets'), personalData: kinds.includes('personal-data') };
}

function listOf(text: string | undefined): string[] {
  return (text ?? '')
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

function oneOf<Value extends string>(flag: string, value: string, values: readonly Value[]): Value {
  const found = values.find((candidate) => candidate === value);
  if (found === undefined)
    throw new AppError('usage', `${flag} takes ${values.join(' or ')}, not ${JSON.stringify(value)}.`);
  return found;
}
