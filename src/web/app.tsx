import { useSignalEffect } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { addressOf, currentRoute, navigate } from './address/router.ts';
import { readSession, session, sessionError } from './data/session.ts';
import { set } from './data/set-signal.ts';
import { isSignedOut } from './data/signed-out.ts';
import { Dialog } from './parts/dialog.tsx';
import { LazyView } from './parts/lazy-view.tsx';
import { ErrorNotice } from './parts/notice.tsx';
import { Toasts } from './parts/toasts.tsx';
import { Shell } from './shell/shell.tsx';
import { HomeView } from './views/home-view.tsx';
import { SignInForm } from './views/sign-in/sign-in-form.tsx';
import { SignInView } from './views/sign-in/sign-in-view.tsx';
import { UnknownView } from './views/unknown-view.tsx';
import { VIEWS } from './views/views.ts';

/** The page: the sign-in view without a session, otherwise the view of the current route. */
export function App() {
  useEffect(() => void readSession(), []);
  useSignalEffect(() => {
    const isProtected = currentRoute.value?.name !== 'signIn';
    if (session.value !== null || !isProtected) return;
    const currentAddress = location.pathname + location.search;
    const isHome = currentRoute.value?.name === 'home' || currentRoute.value?.name === 'app';
    navigate(addressOf('signIn', isHome ? {} : { next: currentAddress }), { replace: true });
  });
  return (
    <>
      <Content />
      <Toasts />
    </>
  );
}

function Content() {
  if (currentRoute.value?.name === 'signIn') return <SignInView />;
  if (sessionError.value !== undefined)
    return <ErrorNotice hasMargin title="Misstep cannot be reached" error={sessionError.value} retry={readSession} />;
  if (!session.value) return null;
  return (
    <Shell>
      <CurrentView />
      {isSignedOut.value && <SignInAgain />}
    </Shell>
  );
}

function CurrentView() {
  const name = currentRoute.value?.name;
  if (name === 'home' || name === 'app') return <HomeView />;
  if (name === undefined || name === 'signIn') return <UnknownView />;
  const { load } = VIEWS[name];
  return <LazyView key={load} load={load} props={{}} />;
}

/** The page stays open behind the dialog, so that no input is lost. */
function SignInAgain() {
  const closeDialog = () => set(isSignedOut, false);
  return (
    <Dialog title="Your session has ended" close={closeDialog}>
      <SignInForm onSignedIn={() => void readSession().then(closeDialog)} />
    </Dialog>
  );
}
