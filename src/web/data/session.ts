import { computed, signal } from '@preact/signals';
import { MisstepError, type Session } from '../../client/misstep-client.generated.ts';
import { queries } from './queries.ts';
import { server } from './server.ts';
import { isSignedOut } from './signed-out.ts';

export type Scope = Session['scopes'][number];

/** Undefined until the server has answered; null without a session. */
export const session = signal<Session | null | undefined>(undefined);
/** The tenant that an operator looks at; a tenant's own session has one tenant. */
const chosenTenant = signal<string | null>(sessionStorage.getItem('misstep.tenant'));

/** The tenant whose data the page shows; null while the operator has not chosen one. */
export const tenantId = computed(() => session.value?.tenant?.tenant_id ?? chosenTenant.value);

/** Why the session could not be read; undefined if no user is signed in. */
export const sessionError = signal<unknown>(undefined);

export function may(scope: Scope): boolean {
  const current = session.value;
  return current ? current.is_operator || current.scopes.includes(scope) : false;
}

/** Grows with every change of who is signed in: an answer about an earlier state is ignored. */
let changes = 0;

export async function readSession(): Promise<void> {
  const before = changes;
  try {
    const found = await server.sessions.get();
    if (changes !== before) return;
    session.value = found;
    sessionError.value = undefined;
    isSignedOut.value = false;
  } catch (error) {
    if (changes !== before) return;
    if (error instanceof MisstepError && error.status === 401) {
      session.value = null;
      sessionError.value = undefined;
    } else sessionError.value = error;
  }
}

/** @throws MisstepError for a credential that is not valid */
export async function signIn(credential: { api_key: string } | { link_token: string }): Promise<void> {
  const opened = await server.sessions.create({ body: credential });
  changes += 1;
  const isSamePerson = session.value?.tenant?.tenant_id === opened.tenant?.tenant_id;
  if (!isSamePerson) queries.clear();
  session.value = opened;
  sessionError.value = undefined;
  isSignedOut.value = false;
}

export async function signOut(): Promise<void> {
  await server.sessions.delete();
  changes += 1;
  chooseTenant(null);
  queries.clear();
  session.value = null;
}

export function chooseTenant(id: string | null): void {
  if (id === null) sessionStorage.removeItem('misstep.tenant');
  else sessionStorage.setItem('misstep.tenant', id);
  if (id !== chosenTenant.value) queries.clear();
  chosenTenant.value = id;
}
