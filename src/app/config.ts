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

/** What opening the store needs to know. */
export interface AppConfig {
  /** Folder with the database, the spool and the operator's credential. */
  dataFolder: string;
  durability: Durability;
  redaction: RedactionConfig;
  /** A trace is judged this long after its root ended and nothing more came. */
  settleMs: number;
  /** Without a root end: this long after its last span. */
  idleMs: number;
  /** Spans that may wait for the disk before new ones are refused with 503. */
  maxQueuedSpans: number;
  /** Bytes that stay free on the disk of the data folder: with less, writes are refused. 0: no minimum. */
  minFreeBytes: number;
  judge: JudgeConfig;
  alerts: AlertConfig;
  /** Folders whose files healing may change. */
  healingRoots: readonly HealingRoot[];
  /** Days that traces are kept where a tenant says nothing; null: for ever. */
  retentionDays: number | null;
  /** Null: no figures go to a monitoring vendor. */
  datadog: DatadogEndpoint | null;
  /** Null: nobody pays, and nothing is limited. */
  payment: PaymentConfig | null;
  integrations: IntegrationConfig;
  /** Where people open the dashboard, without a trailing slash. */
  webAddress: string;
}

export interface IntegrationConfig {
  /** What credentials of other platforms are sealed with, asked at the first use; null: the file `secret-key` in the data folder. */
  readSecretKey(): string | null;
  /** CIDR blocks where platforms may stand although they are not public. */
  allowPrivate: readonly string[];
}

export interface AlertConfig {
  /** Null: no mail goes out. */
  smtp: SmtpConfig | null;
  /** CIDR blocks that webhooks may lead to although they are not public. */
  allowPrivateWebhooks: readonly string[];
}

/** A model that may be asked about uncertain findings of tenants that have switched it on. */
export interface JudgeConfig {
  /** Null: none, and nothing is ever asked. */
  endpoint: JudgeEndpoint | null;
  /** A day and tenant. */
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

/** `--data`, else `MISSTEP_DATA`, else `misstep` in the user's data folder (XDG Base Directory Specification). */
export function dataFolderOf(flag: string | undefined, environment: Environment): string {
  const named = flag ?? environment.MISSTEP_DATA;
  if (named) return resolve(named);
  const base = environment.XDG_DATA_HOME || resolve(environment.HOME || homeOfUser(), '.local', 'share');
  return join(base, 'misstep');
}

/** A user without an entry in the system's list has no home: the working folder then holds the data. */
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
