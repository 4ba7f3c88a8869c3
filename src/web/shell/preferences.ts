import { effect, signal } from '@preact/signals';

/** A preference of this browser, stored in its local storage. */
function preference<Value extends string>(name: string, values: readonly [Value, ...Value[]]) {
  const key = `misstep.${name}`;
  const stored = localStorage.getItem(key);
  const selected = signal<Value>(values.find((value) => value === stored) ?? values[0]);
  effect(() => localStorage.setItem(key, selected.value));
  return selected;
}

export const theme = preference('theme', ['system', 'light', 'dark']);
export const density = preference('density', ['dense', 'roomy']);
/** Shortcuts without a modifier key; WCAG 2.1.4 requires that they can be turned off. */
export const singleKeys = preference('keys', ['on', 'off']);

effect(() => {
  const { dataset } = document.documentElement;
  if (theme.value === 'system') delete dataset.theme;
  else dataset.theme = theme.value;
  dataset.density = density.value;
});
