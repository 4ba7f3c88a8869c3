import { computed, signal } from '@preact/signals';
import { MisstepError, type Session } from '../../client/misstep-client.generated.ts';
import { queries } from './queries.ts';
import { server } from './server.ts';
import { isSignedOut } from './signed-out.ts';

export type Scope = Session['scopes'][number];

/** Undefined while it is loading; null without a session. */
export const session = signal<Session | null | undefined>(undefined);
/** The tenant that an operator selected; the session of a tenant has exactly one. */
const selectedTenant = signal<string | null>(sessionStorage.getItem('misstep.tenant'));

/** The tenant whose data the page shows; null until the operator selects one. */
export const tenantId = computed(() => session.value?.tenant?.tenant_id ?? selectedTenant.value);

/** The error of loading the session; undefined if nobody is signed in. */
export const sessionError = signal<unknown>(undefined);

export function hasScope(scope: Scope): boolean {
  const currentSession = session.value;
  return currentSession ? currentSession.is_operator || currentSession.scopes.includes(scope) : false;
}

/** Incremented at each sign-in and sign-out, so that an outdated response is ignored. */
let sessionVersion = 0;

export async function readSession(): Promise<void> {
  const startVersion = sessionVersion;
  try {
    const loadedSession = await server.sessions.get();
    if (sessionVersion !== startVersion) return;
    session.value = loadedSession;
    sessionError.value = undefined;
    isSignedOut.value = false;
  } catch (error) {
    if (sessionVersion !== startVersion) return;
    if (error instanceof MisstepError && error.status === 401) {
      session.value = null;
      sessionError.value = undefined;
    } else sessionError.value = error;
  }
}

/** @throws MisstepError if the credential is not valid */
export async function signIn(credential: { api_key: string } | { link_token: string }): Promise<void> {
  const newSession = await server.sessions.create({ body: credential });
  sessionVersion += 1;
  const isSameTenant = session.value?.tenant?.tenant_id === newSession.tenant?.tenant_id;
  if (!isSameTenant) queries.clear();
  session.value = newSession;
  sessionError.value = undefined;
  isSignedOut.value = false;
}

export async function signOut(): Promise<void> {
  await server.sessions.delete();
  sessionVersion += 1;
  selectTenant(null);
  queries.clear();
  session.value = null;
}

export function selectTenant(id: string | null): void {
  if (id === null) sessionStorage.removeItem('misstep.tenant');
  else sessionStorage.setItem('misstep.tenant', id);
  if (id !== selectedTenant.value) queries.clear();
  selectedTenant.value = id;
}
