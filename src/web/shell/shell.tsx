import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { Link } from '../address/link.tsx';
import { addressOf, currentRoute } from '../address/router.ts';
import { session, signOut } from '../data/session.ts';
import { set } from '../data/set-signal.ts';
import { Button } from '../parts/button.tsx';
import { Icon } from '../parts/icon.tsx';
import { showFailure } from '../parts/toasts.tsx';
import { HelpDialog } from './help-dialog.tsx';
import { Mark } from './mark.tsx';
import { Navigation } from './navigation.tsx';
import { Palette } from './palette.tsx';
import { theme } from './preferences.ts';
import style from './shell.module.css';
import { useShortcuts } from './shortcuts.ts';
import { TenantSelect } from './tenant-select.tsx';

const NEXT_THEME = { system: 'light', light: 'dark', dark: 'system' } as const;
const THEME_LABEL = { system: 'as the system', light: 'light', dark: 'dark' } as const;

/** The layout around every view: navigation on the left, or at the top of narrow screens. */
export function Shell({ children }: { children: ComponentChildren }) {
  const isMenuOpen = useSignal(false);
  const dialog = useSignal<'help' | 'palette' | null>(null);
  useEffect(() => {
    isMenuOpen.value = false;
  }, [currentRoute.value]);
  useShortcuts([
    { keys: '?', label: 'Show keyboard shortcuts', run: () => set(dialog, 'help') },
    {
      keys: 'Mod+k',
      label: 'Go anywhere',
      run: () => set(dialog, dialog.value === 'palette' ? null : 'palette'),
    },
  ]);
  const close = () => set(dialog, null);
  return (
    <div class={style.shell}>
      <a href="#main" class={style.skip}>
        Skip to content
      </a>
      <header class={style.side} data-open={isMenuOpen.value}>
        <div class={style.brand}>
          <Link to={addressOf('home')} class={style.name}>
            <Mark />
            Misstep
          </Link>
          <Button
            variant="plain"
            class={style.menu ?? ''}
            label="Menu"
            aria-expanded={isMenuOpen.value}
            onClick={() => set(isMenuOpen, !isMenuOpen.value)}
          >
            <Icon name="menu" />
          </Button>
        </div>
        <div class={style.fold}>
          <TenantSelect />
          <button type="button" class={style.search} onClick={() => set(dialog, 'palette')}>
            <Icon name="search" />
            Go to…
            <kbd>{isMac() ? '⌘K' : 'Ctrl K'}</kbd>
          </button>
          <Navigation />
          <div class={style.foot}>
            <Button
              variant="plain"
              label={`Colours: ${THEME_LABEL[theme.value]}`}
              onClick={() => set(theme, NEXT_THEME[theme.value])}
            >
              <Icon name="theme" />
            </Button>
            <Button variant="plain" label="Keyboard shortcuts" onClick={() => set(dialog, 'help')}>
              <Icon name="keys" />
            </Button>
            <Button
              variant="plain"
              label="Sign out"
              onClick={() => signOut().catch((error) => showFailure('Not signed out', error))}
            >
              <Icon name="signOut" />
            </Button>
            <span class={style.version}>{session.value?.version}</span>
          </div>
        </div>
      </header>
      <main id="main" tabIndex={-1} class={style.main}>
        {children}
      </main>
      {dialog.value === 'help' && <HelpDialog close={close} />}
      {dialog.value === 'palette' && <Palette close={close} />}
    </div>
  );
}

function isMac(): boolean {
  return /Mac|iPhone|iPad/.test(navigator.userAgent);
}
