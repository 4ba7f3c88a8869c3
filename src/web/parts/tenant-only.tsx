import type { ComponentChildren } from 'preact';
import { server } from '../data/server.ts';
import { session, signIn, tenantId } from '../data/session.ts';
import { Button } from './button.tsx';
import { EmptyNotice } from './notice.tsx';
import { runAction } from './run-action.ts';

const FRAGMENT = '#t=';

/**
 * A view whose operations need a session of a tenant. An operator must sign in as the selected tenant first.
 */
export function TenantOnly({ children }: { children(tenant: string): ComponentChildren }) {
  const sessionTenantId = session.value?.tenant?.tenant_id;
  if (sessionTenantId !== undefined) return <>{children(sessionTenantId)}</>;
  const selectedTenantId = tenantId.value;
  if (selectedTenantId === null) return <EmptyNotice hasMargin title="Select a tenant first" />;
  return (
    <EmptyNotice hasMargin title="This view requires a session of the tenant">
      <p>
        You are signed in as the operator. Sign in as the tenant to see and change this; <code>misstep link</code> makes
        a new link for the operator.
      </p>
      <Button variant="primary" onClick={() => void signInAs(selectedTenantId)}>
        Sign in as this tenant
      </Button>
    </EmptyNotice>
  );
}

async function signInAs(tenant_id: string): Promise<void> {
  await runAction('The sign-in as the tenant failed', async () => {
    const { url } = await server.signInLinks.create({ tenant_id });
    await signIn({ link_token: new URL(url).hash.slice(FRAGMENT.length) });
  });
}
