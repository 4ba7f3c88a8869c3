import { signal } from '@preact/signals';
import { useLayoutEffect } from 'preact/hooks';
import { KeySequence, keyName } from './key-sequence.ts';
import { singleKeys } from './preferences.ts';

export interface Shortcut {
  /** `e`, `g i`, `Escape` or `Mod+k`. */
  keys: string;
  /** What it does, for the help. */
  label: string;
  run(): void;
}

const active = signal<readonly Shortcut[]>([]);
export const shortcuts = active;

/** Shortcuts that hold while the component is shown; those of the latest component come first. They change with what is drawn, so that a key never acts on an earlier row. */
export function useShortcuts(list: readonly Shortcut[]): void {
  useLayoutEffect(() => {
    active.value = [...list, ...active.peek()];
    return () => {
      active.value = active.peek().filter((one) => !list.includes(one));
    };
  });
}

const FIELDS = 'input, textarea, select, [contenteditable], [role="slider"]';
const sequence = new KeySequence();

export function listenToKeys(): void {
  addEventListener('keydown', (event) => {
    const key = keyName(event);
    if (key === null || event.defaultPrevented || event.isComposing) return;
    const target = event.target instanceof Element ? event.target : null;
    const isSingle = key !== 'Mod+k' && key !== 'Escape';
    if (isSingle && (singleKeys.value === 'off' || target?.closest(FIELDS))) return;
    // Enter and the space bar belong to what has the focus, and every key to an open dialog.
    if ((key === 'Enter' || key === ' ') && target?.closest('a, button, summary, [role="button"]')) return;
    if (key !== 'Mod+k' && document.querySelector('dialog:modal')) return;
    const known = (name: string) => active.value.some(({ keys }) => keys === name);
    const name = sequence.press(key, known, event.timeStamp);
    if (name === null) return;
    event.preventDefault();
    active.value.find(({ keys }) => keys === name)?.run();
  });
}
