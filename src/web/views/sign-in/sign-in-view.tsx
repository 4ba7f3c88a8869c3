import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { addressOf, currentRoute, isOwnAddress, navigate } from '../../address/router.ts';
import { signIn } from '../../data/session.ts';
import { PageHeading } from '../../parts/page-heading.tsx';
import { Mark } from '../../shell/mark.tsx';
import style from './sign-in.module.css';
import { rejectionText, SignInForm } from './sign-in-form.tsx';

/** Removes the token of a one-time link from the address. Browsers do not send the fragment, so no log contains it. */
function consumeLinkToken(): string | null {
  const token = /^#t=(.+)$/.exec(location.hash)?.[1];
  if (token === undefined) return null;
  history.replaceState(null, '', location.pathname + location.search);
  return token;
}

export function SignInView() {
  const linkError = useSignal<string | null>(null);
  const isSigningIn = useSignal(location.hash.startsWith('#t='));

  function openNextPage() {
    const next = currentRoute.value?.query.next;
    navigate(next !== undefined && isOwnAddress(next) ? next : addressOf('home'), { replace: true });
  }

  useEffect(() => {
    const token = consumeLinkToken();
    if (token === null) return;
    signIn({ link_token: token })
      .then(openNextPage)
      .catch((thrown) => {
        linkError.value = rejectionText(thrown);
        isSigningIn.value = false;
      });
  }, []);

  return (
    <main class={style.view}>
      <div class={style.panel}>
        <p class={style.product}>
          <Mark /> Misstep
        </p>
        <PageHeading title="Sign in" />
        {isSigningIn.value && <p>Opening the link…</p>}
        {linkError.value !== null && (
          <p class={style.refusal} role="alert">
            {linkError.value}
          </p>
        )}
        {!isSigningIn.value && (
          <>
            <SignInForm onSignedIn={openNextPage} />
            <p class={style.other}>
              No key at hand? <code>misstep link</code> on the server prints a link that signs you in once.
            </p>
          </>
        )}
      </div>
    </main>
  );
}
