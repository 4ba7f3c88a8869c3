import { effect, signal } from '@preact/signals';

/** A choice of this browser, kept in its storage. */
function preference<Value extends string>(name: string, values: readonly [Value, ...Value[]]) {
  const key = `misstep.${name}`;
  const stored = localStorage.getItem(key);
  const choice = signal<Value>(values.find((value) => value === stored) ?? values[0]);
  effect(() => localStorage.setItem(key, choice.value));
  return choice;
}

export const theme = preference('theme', ['system', 'light', 'dark']);
export const density = preference('density', ['dense', 'roomy']);
/** Keys without a modifier; WCAG 2.1.4 asks for a switch. */
export const singleKeys = preference('keys', ['on', 'off']);

effect(() => {
  const { dataset } = document.documentElement;
  if (theme.value === 'system') delete dataset.theme;
  else dataset.theme = theme.value;
  dataset.density = density.value;
});
