import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { DEFAULT_JUDGE_BUDGET, type JudgeBudget } from '../features/judge/judge-budget.ts';
import type { DatadogEndpoint } from '../platforms/datadog/send-series.ts';
import type { HealingRoot } from '../platforms/healing/healing-root.ts';
import type { JudgeEndpoint } from '../platforms/judge/judge-endpoint.ts';
import { PRIVATE_NETWORKS } from '../platforms/outbound/address-guard.ts';
import type { SmtpConfig } from '../platforms/smtp/send-mail.ts';
import type { PaymentConfig } from '../platforms/stripe/payment-provider.ts';
import type { Durability } from '../store/dialect.ts';

/** The configuration needed to open the store. */
export interface AppConfig {
  /** Folder with the database, the spool and the operator's credential. */
  dataFolder: string;
  durability: Durability;
  redaction: RedactionConfig;
  /** A trace is analyzed this long after its root span ended, if nothing more arrived. */
  settleMs: number;
  /** A trace without an ended root span is analyzed this long after its last span. */
  idleMs: number;
  /** Maximum number of queued spans; while the queue is full, new spans are rejected with 503. */
  maxQueuedSpans: number;
  /** Bytes to keep free on the disk of the data folder: below this, writes are rejected. 0: no minimum. */
  minFreeBytes: number;
  judge: JudgeConfig;
  alerts: AlertConfig;
  /** Folders whose files healing may change. */
  healingRoots: readonly HealingRoot[];
  /** Days that traces are kept unless a tenant sets a value; null: forever. */
  retentionDays: number | null;
  /** Null: no metrics are sent to a monitoring vendor. */
  datadog: DatadogEndpoint | null;
  /** Null: no billing and no plan limits. */
  payment: PaymentConfig | null;
  integrations: IntegrationConfig;
  /** The dashboard's public URL, without a trailing slash. */
  webAddress: string;
}

export interface IntegrationConfig {
  /** Encrypts credentials of other platforms, read at first use; null: the file `secret-key` in the data folder. */
  readSecretKey(): string | null;
  /** CIDR blocks of private networks in which platforms are allowed. */
  allowPrivate: readonly string[];
}

export interface AlertConfig {
  /** Null: no mail is sent. */
  smtp: SmtpConfig | null;
  /** CIDR blocks of private networks to which webhooks may be sent. */
  allowPrivateWebhooks: readonly string[];
}

/** The judge: a model that may be called about uncertain detections of tenants that enabled it. */
export interface JudgeConfig {
  /** Null: no model; it is never called. */
  endpoint: JudgeEndpoint | null;
  /** Per day and tenant. */
  budget: JudgeBudget;
}

export interface RedactionConfig {
  secrets: boolean;
  personalData: boolean;
}

type Environment = Readonly<Record<string, string | undefined>>;

export const DEFAULT_CONFIG: Omit<AppConfig, 'dataFolder'> = {
  durability: 'normal',
  redaction: { secrets: true, personalData: false },
  settleMs: 2_000,
  idleMs: 30_000,
  maxQueuedSpans: 50_000,
  minFreeBytes: 0,
  judge: { endpoint: null, budget: DEFAULT_JUDGE_BUDGET },
  alerts: { smtp: null, allowPrivateWebhooks: [] },
  healingRoots: [],
  retentionDays: null,
  datadog: null,
  payment: null,
  integrations: { readSecretKey: () => null, allowPrivate: PRIVATE_NETWORKS },
  webAddress: 'http://127.0.0.1:4319',
};

/** `--data`, otherwise `MISSTEP_DATA`, otherwise `misstep` in the user's data folder (XDG Base Directory Specification). */
export function dataFolderOf(flag: string | undefined, environment: Environment): string {
  const named = flag ?? environment.MISSTEP_DATA;
  if (named) return resolve(named);
  const base = environment.XDG_DATA_HOME || resolve(environment.HOME || homeOfUser(), '.local', 'share');
  return join(base, 'misstep');
}

/** A user without a passwd entry has no home: the working directory then holds the data. */
function homeOfUser(): string {
  try {
    return homedir();
  } catch {
    return '.';
  }
}

export function databaseFileOf(dataFolder: string): string {
  return join(dataFolder, 'misstep.db');
}
