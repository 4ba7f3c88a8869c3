import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { addressOf, currentRoute, isOwnAddress, navigate } from '../../address/router.ts';
import { signIn } from '../../data/session.ts';
import { PageHeading } from '../../parts/page-heading.tsx';
import { Mark } from '../../shell/mark.tsx';
import style from './sign-in.module.css';
import { refusalOf, SignInForm } from './sign-in-form.tsx';

/** The token of a one-time link. Browsers do not send the fragment, so no log contains it. */
function takeLinkToken(): string | null {
  const token = /^#t=(.+)$/.exec(location.hash)?.[1];
  if (token === undefined) return null;
  history.replaceState(null, '', location.pathname + location.search);
  return token;
}

export function SignInView() {
  const refusal = useSignal<string | null>(null);
  const isOpening = useSignal(location.hash.startsWith('#t='));

  function leave() {
    const next = currentRoute.value?.query.next;
    navigate(next !== undefined && isOwnAddress(next) ? next : addressOf('home'), { replace: true });
  }

  useEffect(() => {
    const token = takeLinkToken();
    if (token === null) return;
    signIn({ link_token: token })
      .then(leave)
      .catch((thrown) => {
        refusal.value = refusalOf(thrown);
        isOpening.value = false;
      });
  }, []);

  return (
    <main class={style.view}>
      <div class={style.panel}>
        <Mark />
        <PageHeading title="Sign in" />
        {isOpening.value && <p>Opening the link…</p>}
        {refusal.value !== null && (
          <p class={style.refusal} role="alert">
            {refusal.value}
          </p>
        )}
        {!isOpening.value && (
          <>
            <SignInForm done={leave} />
            <p class={style.other}>
              No key at hand? <code>misstep link</code> on the server prints a link that signs you in once.
            </p>
          </>
        )}
      </div>
    </main>
  );
}
