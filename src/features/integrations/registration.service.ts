import type { Kysely } from 'kysely';
import { AppError } from '../../core/app-error.ts';
import type { Clock } from '../../core/clock.ts';
import { newId, type Random } from '../../core/id.ts';
import type { Integration } from '../../core/integration.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import { NOT_IN_BASE_URL, partProblem } from '../../platforms/outbound/url-parts.ts';
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
import type { IntegrationSource, RegistrationKind } from './integration-source.ts';
import type { WebhookAccess } from './registration.record.ts';
import { changedCredentials, changedDetails, redactedDetails, refuse } from './registration-change.ts';
import { sortMembers } from './registration-members.ts';
import { createSealedSecrets } from './sealed-secrets.ts';
import type { SecretBox } from './secret-box.ts';
import { hashWebhookToken, newWebhookSecret, newWebhookToken } from './webhook-token.ts';

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
  /** A member that is null is forgotten. */
  details?: Record<string, Json>;
  credentials?: Record<string, string | null>;
  isSigned?: boolean;
  /** The same as fields of their own, as for registering. */
  members?: JsonObject;
}

export interface RegistrationService {
  /** @throws AppError `invalid_body`, `conflict` where it is registered already */
  create(
    tenantId: string,
    kind: { integration: Integration; name: string },
    input: RegistrationInput,
  ): Promise<{ row: RegistrationTable; webhook: WebhookAccess | null }>;
  /** Newest first. */
  list(tenantId: string, filter: RegistrationFilter, page: PageRequest): Promise<Page<RegistrationTable>>;
  /** @throws AppError `not_found` */
  get(tenantId: string, registrationId: string): Promise<RegistrationTable>;
  change(tenantId: string, registrationId: string, change: RegistrationChange): Promise<RegistrationTable>;
  /** With all that belongs to it. What came from there stays. */
  remove(tenantId: string, registrationId: string): Promise<void>;
  /** New token and secret; the old ones end at once. @throws AppError `invalid_transition` where it has no webhook */
  rotate(tenantId: string, registrationId: string): Promise<{ row: RegistrationTable; webhook: WebhookAccess }>;
  /** For those who call the platform. @throws AppError `conflict` where the key is another */
  credentialsOf(row: RegistrationTable): Record<string, string>;
  /** Null where it has no webhook, or the key is another. */
  webhookSecretOf(row: RegistrationTable): string | null;
  /** The definition of a row's kind. */
  kindOf(row: Pick<RegistrationTable, 'integration' | 'kind'>): RegistrationKind;
}

export function createRegistrationService(options: {
  db: Kysely<Database>;
  clock: Clock;
  random: Random;
  box: SecretBox;
  sources: readonly IntegrationSource[];
  /** For names and descriptions; credentials have fields of their own, which are sealed. */
  redactText(text: string): string;
  tenantNoOf(tenantId: string): Promise<number>;
  /** Why a URL may not be used, seen without resolving its name; null where it may. */
  urlProblem(url: URL): string | null;
}): RegistrationService {
  const { db, clock, random, tenantNoOf } = options;
  const secrets = createSealedSecrets(options.box);

  function redactedOrNull(text: string | null | undefined): string | null {
    return text === null || text === undefined ? null : options.redactText(text);
  }

  function kindOf({ integration, kind }: { integration: string; kind: string }): RegistrationKind {
    const source = options.sources.find((each) => each.integration === integration);
    const found = source?.kinds.find(({ name }) => name === kind);
    if (!found) throw new Error(`no ${kind} of ${integration} is known`);
    return found;
  }

  async function load(tenantId: string, registrationId: string): Promise<RegistrationTable> {
    const row = await readRegistration(db, await tenantNoOf(tenantId), registrationId);
    if (row === null) throw new AppError('not_found', `There is no registration ${registrationId}.`);
    return row;
  }

  function checkedUrl(kind: RegistrationKind, text: string | null): string | null {
    if (text === null) {
      if (kind.url === 'required') refuse('/url', 'is needed');
      return null;
    }
    if (kind.url === 'none') refuse('/url', `a ${kind.name} has none`);
    const url = URL.parse(text);
    const problem = url === null ? 'it is no URL' : (partProblem(text, NOT_IN_BASE_URL) ?? options.urlProblem(url));
    if (problem !== null) refuse('/url', problem);
    return text.replace(/\/{1,8}$/, '');
  }

  async function checkParent(tenantNo: number, kind: RegistrationKind, integration: string, parentId: string | null) {
    if (kind.parent === undefined || parentId === null) return;
    const parent = await readRegistration(db, tenantNo, parentId);
    const isFitting = parent?.integration === integration && parent.kind === kind.parent.kind;
    const { idName } = kindOf({ integration, kind: kind.parent.kind });
    if (!isFitting) refuse(`/${idName}`, `there is no such ${kind.parent.kind}`);
  }

  async function assertRoom(transaction: Db, tenantNo: number): Promise<void> {
    if ((await countRegistrations(transaction, tenantNo, {})) < MOST_REGISTRATIONS) return;
    throw new AppError('conflict', `More than ${MOST_REGISTRATIONS} registrations are not kept; remove some first.`);
  }

  async function assertNew(transaction: Db, row: RegistrationTable): Promise<void> {
    if (row.external_id === null) return;
    const filter = { integration: row.integration, kind: row.kind, externalId: row.external_id };
    const found = await listRegistrations(transaction, row.tenant_no, filter, ALL);
    const twin = found.find((each) => each.parent_id === row.parent_id && each.registration_id !== row.registration_id);
    if (twin) throw new AppError('conflict', `It is registered already, as ${twin.registration_id}.`);
  }

  function recredentialed(
    kind: RegistrationKind,
    row: RegistrationTable,
    change: Record<string, string | null>,
    members: Record<string, string | null>,
  ) {
    const before = secrets.openOrNone(row);
    const credentials = changedCredentials(kind, changedCredentials(kind, before.credentials, change), members, '');
    return secrets.seal(row.registration_id, { ...before, credentials });
  }

  function newAccess(integration: string): { access: WebhookAccess; tokenHash: string | null } {
    const token = newWebhookToken(random);
    const access = { path: `/api/v1/${integration}/webhook/${token}`, secret: newWebhookSecret(random) };
    return { access, tokenHash: hashWebhookToken(token) };
  }

  return {
    kindOf,
    async create(tenantId, of, input) {
      const kind = kindOf({ integration: of.integration, kind: of.name });
      const tenantNo = await tenantNoOf(tenantId);
      const parentId = input.parentId ?? null;
      await checkParent(tenantNo, kind, of.integration, parentId);
      const details = redactedDetails(input.details ?? {}, options.redactText);
      const now = clock.now();
      const registrationId = newId(kind.idPrefix, clock, random);
      const webhook = kind.hasWebhook ? newAccess(of.integration) : null;
      const externalId = kind.externalIdName === undefined ? null : (details[kind.externalIdName] ?? null);
      const row: RegistrationTable = {
        tenant_no: tenantNo,
        registration_id: registrationId,
        integration: of.integration,
        kind: of.name,
        parent_id: parentId,
        external_id: externalId === null ? null : String(externalId),
        name: options.redactText(input.name),
        description: redactedOrNull(input.description),
        url: checkedUrl(kind, input.url ?? null),
        details: JSON.stringify(details),
        ...secrets.seal(registrationId, {
          credentials: withoutNothing(input.credentials ?? {}),
          webhook: webhook?.access.secret ?? null,
        }),
        is_signed: input.isSigned ? 1 : 0,
        token_hash: webhook?.tokenHash ?? null,
        last_event_at: null,
        created_at: now,
        updated_at: now,
      };
      await inTransaction(db, async (transaction) => {
        await assertRoom(transaction, tenantNo);
        await assertNew(transaction, row);
        await insertRegistration(transaction, row);
      });
      return { row, webhook: webhook?.access ?? null };
    },
    async list(tenantId, filter, page) {
      const tenantNo = await tenantNoOf(tenantId);
      const rows = await listRegistrations(db, tenantNo, filter, toRange(page));
      return toPage(rows, await countRegistrations(db, tenantNo, filter), page, {
        toItem: (row) => row,
        positionOf: (row) => ({ at: row.created_at, id: row.registration_id }),
      });
    },
    get: load,
    async change(tenantId, registrationId, change) {
      const row = await load(tenantId, registrationId);
      const kind = kindOf(row);
      const parent =
        kind.parent === undefined ? null : kindOf({ integration: row.integration, kind: kind.parent.kind });
      const members = sortMembers(change.members ?? {}, kind, parent);
      if (members.parentId !== undefined) await checkParent(row.tenant_no, kind, row.integration, members.parentId);
      const grouped = changedDetails(kind, JSON.parse(row.details) as JsonObject, change.details ?? {});
      const details = redactedDetails(changedDetails(kind, grouped, members.details, ''), options.redactText);
      const hasCredentials = change.credentials !== undefined || Object.keys(members.credentials).length > 0;
      const externalId = kind.externalIdName === undefined ? null : (details[kind.externalIdName] ?? null);
      const after: RegistrationTable = {
        ...row,
        name: change.name === undefined ? row.name : options.redactText(change.name),
        description: change.description === undefined ? row.description : redactedOrNull(change.description),
        url: change.url === undefined ? row.url : checkedUrl(kind, change.url),
        details: JSON.stringify(details),
        external_id: externalId === null ? null : String(externalId),
        parent_id: members.parentId === undefined ? row.parent_id : members.parentId,
        ...(hasCredentials ? recredentialed(kind, row, change.credentials ?? {}, members.credentials) : {}),
        is_signed: change.isSigned === undefined ? row.is_signed : Number(change.isSigned),
        updated_at: clock.now(),
      };
      const { tenant_no: _no, registration_id: _id, last_event_at: _at, ...values } = after;
      await inTransaction(db, async (transaction) => {
        await assertNew(transaction, after);
        await updateRegistration(transaction, row, values);
      });
      return after;
    },
    async remove(tenantId, registrationId) {
      const { tenant_no: tenantNo } = await load(tenantId, registrationId);
      await inTransaction(db, async (transaction) => {
        const ids = [registrationId];
        // Grows while it is walked: children have children.
        for (const parentId of ids)
          for (const child of await listRegistrations(transaction, tenantNo, { parentId }, ALL))
            ids.push(child.registration_id);
        await deleteRegistrations(transaction, tenantNo, ids);
      });
    },
    async rotate(tenantId, registrationId) {
      const row = await load(tenantId, registrationId);
      if (!kindOf(row).hasWebhook) throw new AppError('invalid_transition', `A ${row.kind} has no webhook.`);
      const { access, tokenHash } = newAccess(row.integration);
      const renewed = { ...secrets.openOrNone(row), webhook: access.secret };
      const values = { ...secrets.seal(registrationId, renewed), token_hash: tokenHash, updated_at: clock.now() };
      await inTransaction(db, (transaction) => updateRegistration(transaction, row, values));
      return { row: { ...row, ...values }, webhook: access };
    },
    credentialsOf: (row) => secrets.open(row).credentials,
    webhookSecretOf: (row) => secrets.openOrNone(row).webhook,
  };
}

/** Every secret of a tenant is tried on a signed webhook. */
const MOST_REGISTRATIONS = 1_000;
const ALL = { after: null, offset: 0, limit: MOST_REGISTRATIONS };

function withoutNothing(values: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
