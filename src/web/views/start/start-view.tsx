import { useSignal } from '@preact/signals';
import { Link } from '../../address/link.tsx';
import { addressOf, BASE, currentRoute } from '../../address/router.ts';
import { queries } from '../../data/queries.ts';
import { server } from '../../data/server.ts';
import { hasScope, selectTenant, session, tenantId } from '../../data/session.ts';
import { Button } from '../../parts/button.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { Field } from '../../parts/field.tsx';
import { PageHeading } from '../../parts/page-heading.tsx';
import { showFailure } from '../../parts/toasts.tsx';
import { Arrivals } from './arrivals.tsx';
import { SNIPPETS, snippetOf } from './snippets.ts';
import style from './start.module.css';

const PLACEHOLDER = 'YOUR_KEY';

/** Connects the first program: the endpoint, instructions, and the received and rejected data. */
export function StartView() {
  return (
    <div class={style.view}>
      <PageHeading title="Set up" />
      {tenantId.value === null ? <FirstTenant /> : <Steps key={tenantId.value} tenant={tenantId.value} />}
    </div>
  );
}

function FirstTenant() {
  const name = useSignal('');
  const error = useSignal<string | null>(null);
  async function create(event: Event) {
    event.preventDefault();
    if (name.value.trim() === '') {
      error.value = 'Enter a name.';
      return;
    }
    try {
      const { tenant_id } = await server.tenants.create({ body: { name: name.value.trim() } });
      void queries.invalidate('tenants');
      selectTenant(tenant_id);
    } catch (thrown) {
      showFailure('The tenant was not created', thrown);
    }
  }
  return (
    <form class={style.step} onSubmit={create} noValidate>
      <h2>Create a tenant</h2>
      <p>A tenant holds the traces and the keys of one team. You are the operator: select one above, or create one.</p>
      <Field
        label="Name"
        value={name.value}
        error={error.value}
        onChange={(value) => {
          name.value = value;
          error.value = null;
        }}
      />
      <Button variant="primary" type="submit">
        Create
      </Button>
    </form>
  );
}

function Steps({ tenant }: { tenant: string }) {
  const key = useSignal<string | null>(null);
  const snippet = snippetOf(currentRoute.value?.query.for);
  const base = location.origin + BASE;
  const text = snippet.lines(base, key.value ?? PLACEHOLDER);
  const isNeedingKey = text.includes(PLACEHOLDER);

  async function makeKey() {
    try {
      const created = await server.apiKeys.create({ tenant_id: tenant, body: { name: 'ingest', scopes: ['ingest'] } });
      key.value = created.api_key;
    } catch (error) {
      showFailure('The key could not be created', error, () => void makeKey());
    }
  }

  return (
    <div class={style.columns}>
      <div>
        <section class={style.step}>
          <h2>1 Choose what sends the traces</h2>
          <nav aria-label="Kinds of programs" class={style.kinds}>
            {SNIPPETS.map(({ id, label }) => (
              <Link
                key={id}
                to={addressOf('start', { for: id })}
                {...(id === snippet.id ? { 'aria-current': 'true' as const } : {})}
              >
                {label}
              </Link>
            ))}
          </nav>
          <p>{snippet.note}</p>
        </section>
        <section class={style.step}>
          <h2>2 {snippet.action}</h2>
          <div class={style.code}>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the region scrolls */}
            <section class={style.lines} aria-label="Lines to copy" tabIndex={0}>
              <pre>{text}</pre>
            </section>
            <CopyButton text={text} label="Copy" />
          </div>
          {isNeedingKey && hasScope('admin') && (
            <div class={style.key}>
              <Button variant="primary" onClick={makeKey}>
                Create a key that can only send
              </Button>
              <span>It is shown once, here.</span>
            </div>
          )}
          {isNeedingKey && !hasScope('admin') && (
            <p>Your key cannot create keys: ask the person who set up Misstep for one that can send.</p>
          )}
          {key.value !== null && (
            <p class={style.made} role="status">
              The key is in the lines above. It can send traces and read nothing. Copy it now: it is not shown again.
            </p>
          )}
          <p class={style.endpoint}>
            Traces go to <code>{base}/v1/traces</code> (OTLP over HTTP, JSON or protobuf).
          </p>
        </section>
      </div>
      <Arrivals tenant={tenant} />
      <p class={style.demo}>
        <a href={`${BASE}/docs`}>Reference of the API</a>
        {!session.value?.is_operator && ': its requests need an API key.'}
      </p>
    </div>
  );
}
