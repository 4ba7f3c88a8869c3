import type { Kysely } from 'kysely';
import { AppError } from '../../core/app-error.ts';
import type { Clock } from '../../core/clock.ts';
import { newId, type Random } from '../../core/id.ts';
import type { Integration } from '../../core/integration.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import type { Db } from '../../store/connection.ts';
import type { RegistrationTable } from '../../store/integration-tables.ts';
import {
  countRegistrations,
  deleteRegistrations,
  insertRegistration,
  listRegistrations,
  type RegistrationFilter,
  readRegistration,
  updateRegistration,
} from '../../store/registration.store.ts';
import type { Database } from '../../store/schema.ts';
import { inTransaction } from '../../store/transaction.ts';
import { toPage, toRange } from '../_kit/cursor.ts';
import type { Page, PageRequest } from '../_kit/page.ts';
import type { Cipher } from './cipher.ts';
import type { IntegrationSource, RegistrationKind } from './integration-source.ts';
import type { WebhookAccess } from './registration.record.ts';
import { changedCredentials, changedDetails, checkedUrl, redactedDetails, rejectField } from './registration-change.ts';
import { sortMembers } from './registration-members.ts';
import { createSealedSecrets, type SealedSecrets } from './sealed-secrets.ts';
import { newWebhookAccess } from './webhook-token.ts';

export interface RegistrationInput {
  name: string;
  description?: string | null;
  url?: string | null;
  parentId?: string | null;
  details?: JsonObject;
  credentials?: Record<string, string | undefined>;
  isSigned?: boolean;
}

export interface RegistrationChange {
  name?: string;
  description?: string | null;
  url?: string | null;
  /** A null member is deleted. */
  details?: Record<string, Json>;
  credentials?: Record<string, string | null>;
  isSigned?: boolean;
  /** The same as top-level fields, as for registration. */
  members?: JsonObject;
}

/** Registrations of other platforms, with their sealed credentials and webhooks. */
export class RegistrationService {
  readonly #db: Kysely<Database>;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #secrets: SealedSecrets;
  readonly #sources: readonly IntegrationSource[];
  readonly #redactText: (text: string) => string;
  readonly #tenantNoOf: (tenantId: string) => Promise<number>;
  readonly #urlProblem: (url: URL) => string | null;

  constructor(options: {
    db: Kysely<Database>;
    clock: Clock;
    random: Random;
    cipher: Cipher;
    sources: readonly IntegrationSource[];
    /** For names and descriptions; credentials have fields of their own, which are sealed. */
    redactText(text: string): string;
    tenantNoOf(tenantId: string): Promise<number>;
    /** Why a URL is not allowed, decided without resolving its name; null if it is allowed. */
    urlProblem(url: URL): string | null;
  }) {
    this.#db = options.db;
    this.#clock = options.clock;
    this.#random = options.random;
    this.#secrets = createSealedSecrets(options.cipher);
    this.#sources = options.sources;
    this.#redactText = options.redactText;
    this.#tenantNoOf = options.tenantNoOf;
    this.#urlProblem = options.urlProblem;
  }

  /** @throws AppError `invalid_body`, `conflict` if it is registered already */
  async create(
    tenantId: string,
    of: { integration: Integration; name: string },
    input: RegistrationInput,
  ): Promise<{ row: RegistrationTable; webhook: WebhookAccess | null }> {
    const kind = this.kindOf({ integration: of.integration, kind: of.name });
    const tenantNo = await this.#tenantNoOf(tenantId);
    const parentId = input.parentId ?? null;
    await this.#checkParent(tenantNo, kind, of.integration, parentId);
    const details = redactedDetails(input.details ?? {}, this.#redactText);
    const now = this.#clock.now();
    const registrationId = newId(kind.idPrefix, this.#clock, this.#random);
    const webhook = kind.hasWebhook ? newWebhookAccess(of.integration, this.#random) : null;
    const externalId = kind.externalIdName === undefined ? null : (details[kind.externalIdName] ?? null);
    const row: RegistrationTable = {
      tenant_no: tenantNo,
      registration_id: registrationId,
      integration: of.integration,
      kind: of.name,
      parent_id: parentId,
      external_id: externalId === null ? null : String(externalId),
      name: this.#redactText(input.name),
      description: this.#redactedOrNull(input.description),
      url: checkedUrl(kind, input.url ?? null, this.#urlProblem),
      details: JSON.stringify(details),
      ...this.#secrets.seal(registrationId, {
        credentials: withoutEmpty(input.credentials ?? {}),
        webhook: webhook?.access.secret ?? null,
      }),
      is_signed: input.isSigned ? 1 : 0,
      token_hash: webhook?.tokenHash ?? null,
      last_event_at: null,
      created_at: now,
      updated_at: now,
    };
    await inTransaction(this.#db, async (transaction) => {
      await assertCapacity(transaction, tenantNo);
      await this.#assertNew(transaction, row);
      await insertRegistration(transaction, row);
    });
    return { row, webhook: webhook?.access ?? null };
  }

  /** Newest first. */
  async list(tenantId: string, filter: RegistrationFilter, page: PageRequest): Promise<Page<RegistrationTable>> {
    this.#assertKind(filter);
    const tenantNo = await this.#tenantNoOf(tenantId);
    const rows = await listRegistrations(this.#db, tenantNo, filter, toRange(page));
    return toPage(rows, await countRegistrations(this.#db, tenantNo, filter), page, {
      toItem: (row) => row,
      positionOf: (row) => ({ at: row.created_at, id: row.registration_id }),
    });
  }

  /** @throws AppError `invalid_query` for a kind that no platform, or not this one, has */
  #assertKind({ integration, kind }: RegistrationFilter): void {
    if (kind === null || kind === undefined) return;
    const sources = this.#sources.filter((source) => integration === null || source.integration === integration);
    const names = new Set(sources.flatMap(({ kinds }) => kinds.map(({ name }) => name)));
    if (names.has(kind)) return;
    const message = `must be one of ${[...names].join(', ')}`;
    throw new AppError('invalid_query', 'Query validation failed.', { errors: [{ pointer: '?kind', message }] });
  }

  /** @throws AppError `not_found` */
  get(tenantId: string, registrationId: string): Promise<RegistrationTable> {
    return this.#load(tenantId, registrationId);
  }

  async change(tenantId: string, registrationId: string, change: RegistrationChange): Promise<RegistrationTable> {
    const row = await this.#load(tenantId, registrationId);
    const kind = this.kindOf(row);
    const parent =
      kind.parent === undefined ? null : this.kindOf({ integration: row.integration, kind: kind.parent.kind });
    const members = sortMembers(change.members ?? {}, kind, parent);
    if (members.parentId !== undefined) await this.#checkParent(row.tenant_no, kind, row.integration, members.parentId);
    const grouped = changedDetails(kind, JSON.parse(row.details) as JsonObject, change.details ?? {});
    const details = redactedDetails(changedDetails(kind, grouped, members.details, ''), this.#redactText);
    const hasCredentials = change.credentials !== undefined || Object.keys(members.credentials).length > 0;
    const externalId = kind.externalIdName === undefined ? null : (details[kind.externalIdName] ?? null);
    const after: RegistrationTable = {
      ...row,
      name: change.name === undefined ? row.name : this.#redactText(change.name),
      description: change.description === undefined ? row.description : this.#redactedOrNull(change.description),
      url: change.url === undefined ? row.url : checkedUrl(kind, change.url, this.#urlProblem),
      details: JSON.stringify(details),
      external_id: externalId === null ? null : String(externalId),
      parent_id: members.parentId === undefined ? row.parent_id : members.parentId,
      ...(hasCredentials ? this.#withNewCredentials(kind, row, change.credentials ?? {}, members.credentials) : {}),
      is_signed: change.isSigned === undefined ? row.is_signed : Number(change.isSigned),
      updated_at: this.#clock.now(),
    };
    const { tenant_no: _no, registration_id: _id, last_event_at: _at, ...values } = after;
    await inTransaction(this.#db, async (transaction) => {
      await this.#assertNew(transaction, after);
      await updateRegistration(transaction, row, values);
    });
    return after;
  }

  /** Removes it with its children. Its traces stay. */
  async remove(tenantId: string, registrationId: string): Promise<void> {
    const { tenant_no: tenantNo } = await this.#load(tenantId, registrationId);
    await inTransaction(this.#db, async (transaction) => {
      const ids = [registrationId];
      // Grows while it is walked: children have children.
      for (const parentId of ids)
        for (const child of await listRegistrations(transaction, tenantNo, { parentId }, ALL))
          ids.push(child.registration_id);
      await deleteRegistrations(transaction, tenantNo, ids);
    });
  }

  /**
   * New token and secret; the old ones stop working at once. @throws AppError `invalid_transition` if it has no webhook
   */
  async rotate(tenantId: string, registrationId: string): Promise<{ row: RegistrationTable; webhook: WebhookAccess }> {
    const row = await this.#load(tenantId, registrationId);
    if (!this.kindOf(row).hasWebhook) throw new AppError('invalid_transition', `A ${row.kind} has no webhook.`);
    const { access, tokenHash } = newWebhookAccess(row.integration, this.#random);
    const renewed = { ...this.#secrets.openOrNone(row), webhook: access.secret };
    const values = {
      ...this.#secrets.seal(registrationId, renewed),
      token_hash: tokenHash,
      updated_at: this.#clock.now(),
    };
    await inTransaction(this.#db, (transaction) => updateRegistration(transaction, row, values));
    return { row: { ...row, ...values }, webhook: access };
  }

  /** For clients of the platform. @throws AppError `conflict` if it was encrypted with another key */
  credentialsOf(row: RegistrationTable): Record<string, string> {
    return this.#secrets.open(row).credentials;
  }

  /** Null if it has no webhook, or was encrypted with another key. */
  webhookSecretOf(row: RegistrationTable): string | null {
    return this.#secrets.openOrNone(row).webhook;
  }

  /** The definition of a row's kind. */
  kindOf({ integration, kind }: { integration: string; kind: string }): RegistrationKind {
    const source = this.#sources.find((each) => each.integration === integration);
    const found = source?.kinds.find(({ name }) => name === kind);
    if (!found) throw new Error(`no ${kind} of ${integration} is known`);
    return found;
  }

  #redactedOrNull(text: string | null | undefined): string | null {
    return text === null || text === undefined ? null : this.#redactText(text);
  }

  async #load(tenantId: string, registrationId: string): Promise<RegistrationTable> {
    const row = await readRegistration(this.#db, await this.#tenantNoOf(tenantId), registrationId);
    if (row === null) throw new AppError('not_found', `There is no registration ${registrationId}.`);
    return row;
  }

  async #checkParent(tenantNo: number, kind: RegistrationKind, integration: string, parentId: string | null) {
    if (kind.parent === undefined || parentId === null) return;
    const parent = await readRegistration(this.#db, tenantNo, parentId);
    const isFitting = parent?.integration === integration && parent.kind === kind.parent.kind;
    const { idName } = this.kindOf({ integration, kind: kind.parent.kind });
    if (!isFitting) rejectField(`/${idName}`, `there is no such ${kind.parent.kind}`);
  }

  async #assertNew(transaction: Db, row: RegistrationTable): Promise<void> {
    if (row.external_id === null) return;
    const filter = { integration: row.integration, kind: row.kind, externalId: row.external_id };
    const found = await listRegistrations(transaction, row.tenant_no, filter, ALL);
    const duplicate = found.find(
      (each) => each.parent_id === row.parent_id && each.registration_id !== row.registration_id,
    );
    if (duplicate) throw new AppError('conflict', `It is already registered as ${duplicate.registration_id}.`);
  }

  #withNewCredentials(
    kind: RegistrationKind,
    row: RegistrationTable,
    change: Record<string, string | null>,
    members: Record<string, string | null>,
  ) {
    const before = this.#secrets.openOrNone(row);
    const credentials = changedCredentials(kind, changedCredentials(kind, before.credentials, change), members, '');
    return this.#secrets.seal(row.registration_id, { ...before, credentials });
  }
}

/** Every secret of a tenant is tried on a signed webhook. */
const MAX_REGISTRATIONS = 1_000;
const ALL = { after: null, offset: 0, limit: MAX_REGISTRATIONS };

async function assertCapacity(transaction: Db, tenantNo: number): Promise<void> {
  if ((await countRegistrations(transaction, tenantNo, {})) < MAX_REGISTRATIONS) return;
  throw new AppError('conflict', `A tenant can have at most ${MAX_REGISTRATIONS} registrations; remove some first.`);
}

function withoutEmpty(values: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
