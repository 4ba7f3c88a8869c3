import { useSignal } from '@preact/signals';
import { MisstepError } from '../../../client/misstep-client.generated.ts';
import { problemTextOf } from '../../data/problem-text.ts';
import { signIn } from '../../data/session.ts';
import { Button } from '../../parts/button.tsx';
import { Field } from '../../parts/field.tsx';
import style from './sign-in.module.css';

/** Signs in with a key. The browser keeps a cookie that scripts cannot read, and not the key. */
export function SignInForm({ done }: { done?: () => void }) {
  const key = useSignal('');
  const error = useSignal<string | null>(null);
  const isBusy = useSignal(false);

  async function submit(event: Event) {
    event.preventDefault();
    const given = key.value.trim();
    if (given === '') {
      error.value = 'Enter a key.';
      return;
    }
    isBusy.value = true;
    try {
      await signIn({ api_key: given });
      done?.();
    } catch (thrown) {
      error.value = refusalOf(thrown);
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
            It starts with <code>mst_</code>. <code>misstep tenants create</code> and{' '}
            <code>misstep serve --tenant NAME</code> print one.
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
      <Button look="primary" type="submit" disabled={isBusy.value}>
        Sign in
      </Button>
    </form>
  );
}

/** The server says why it refuses a credential; elsewhere 401 means that a session has ended. */
export function refusalOf(thrown: unknown): string {
  const isRefused = thrown instanceof MisstepError && thrown.status === 401 && thrown.problem !== null;
  return isRefused ? thrown.problem!.detail : problemTextOf(thrown).text;
}
