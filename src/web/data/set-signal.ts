import type { Signal } from '@preact/signals-core';

/** Sets a signal, as an expression without a value, for one-line handlers. */
export function set<Value>(target: Signal<Value>, value: NoInfer<Value>): void {
  target.value = value;
}
