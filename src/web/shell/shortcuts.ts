import { signal } from '@preact/signals';
import { useLayoutEffect } from 'preact/hooks';
import { KeySequence, keyName } from './key-sequence.ts';
import { singleKeys } from './preferences.ts';

export interface Shortcut {
  /** `e`, `g i`, `Escape` or `Mod+k`. */
  keys: string;
  /** Description for the help dialog. */
  label: string;
  run(): void;
}

const active = signal<readonly Shortcut[]>([]);
export const shortcuts = active;

/** Registers shortcuts while the component is mounted; those of the last mounted component take precedence. They are replaced at each render, so that a key never acts on an outdated row. */
export function useShortcuts(added: readonly Shortcut[]): void {
  useLayoutEffect(() => {
    active.value = [...added, ...active.peek()];
    return () => {
      active.value = active.peek().filter((shortcut) => !added.includes(shortcut));
    };
  });
}

const INPUT_SELECTOR = 'input, textarea, select, [contenteditable], [role="slider"]';
const sequence = new KeySequence();

export function listenToKeys(): void {
  addEventListener('keydown', (event) => {
    const key = keyName(event);
    if (key === null || event.defaultPrevented || event.isComposing) return;
    const target = event.target instanceof Element ? event.target : null;
    const isSingle = key !== 'Mod+k' && key !== 'Escape';
    if (isSingle && (singleKeys.value === 'off' || target?.closest(INPUT_SELECTOR))) return;
    // The focused element handles Enter and the space bar, and an open dialog handles every key.
    if ((key === 'Enter' || key === ' ') && target?.closest('a, button, summary, [role="button"]')) return;
    if (key !== 'Mod+k' && document.querySelector('dialog:modal')) return;
    const isKnown = (name: string) => active.value.some(({ keys }) => keys === name);
    const name = sequence.press(key, isKnown, event.timeStamp);
    if (name === null) return;
    event.preventDefault();
    active.value.find(({ keys }) => keys === name)?.run();
  });
}
