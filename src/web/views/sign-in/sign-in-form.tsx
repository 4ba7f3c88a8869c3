import { useSignal } from '@preact/signals';
import { MisstepError } from '../../../client/misstep-client.generated.ts';
import { problemTextOf } from '../../data/problem-text.ts';
import { signIn } from '../../data/session.ts';
import { Button } from '../../parts/button.tsx';
import { Field } from '../../parts/field.tsx';
import style from './sign-in.module.css';

/** Signs in with a key. The browser stores an HTTP-only session cookie, not the key. */
export function SignInForm({ onSignedIn }: { onSignedIn?: () => void }) {
  const key = useSignal('');
  const error = useSignal<string | null>(null);
  const isBusy = useSignal(false);

  async function submit(event: Event) {
    event.preventDefault();
    const apiKey = key.value.trim();
    if (apiKey === '') {
      error.value = 'Enter a key.';
      return;
    }
    isBusy.value = true;
    try {
      await signIn({ api_key: apiKey });
      onSignedIn?.();
    } catch (thrown) {
      error.value = rejectionText(thrown);
    } finally {
      isBusy.value = false;
    }
  }

  return (
    <form class={style.form} onSubmit={submit} noValidate>
      <Field
        label="API key"
        hint={
          <>
            It starts with <code>mst_</code>. Each of these commands prints one:
            <br />
            <code>misstep tenants create</code>
            <br />
            <code>misstep serve --tenant NAME</code>
          </>
        }
        type="password"
        autocomplete="current-password"
        value={key.value}
        error={error.value}
        onChange={(value) => {
          key.value = value;
          error.value = null;
        }}
      />
      <Button variant="primary" type="submit" disabled={isBusy.value}>
        Sign in
      </Button>
    </form>
  );
}

/** The reason why the server rejects a credential. Anywhere else, 401 means that the session has ended. */
export function rejectionText(thrown: unknown): string {
  const isRejected = thrown instanceof MisstepError && thrown.status === 401 && thrown.problem !== null;
  return isRejected ? thrown.problem!.detail : problemTextOf(thrown).text;
}
