import { useSignal } from '@preact/signals';
import type { Ref } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { useDelayedCall } from './use-delayed-call.ts';

interface SearchFieldProps {
  /** The accessible name. */
  label: string;
  placeholder: string;
  /** The text that is searched for now. */
  value: string;
  onSearch(text: string): void;
  class: string | undefined;
  inputRef?: Ref<HTMLInputElement>;
  /** The key that focuses the field. */
  shortcut?: string;
}

const MAX_LENGTH = 200;

/** A search field: it searches when the user stops typing, and at once with Enter. */
export function SearchField({ label, placeholder, value, onSearch, inputRef, shortcut, ...rest }: SearchFieldProps) {
  const text = useSignal(value);
  const sent = useRef(value);
  const search = useDelayedCall((typed: string) => {
    const trimmed = typed.trim();
    if (trimmed === sent.current) return;
    sent.current = trimmed;
    onSearch(trimmed);
  });
  useEffect(() => {
    // The response to an own search must not replace what was typed since.
    if (value === sent.current) return;
    search.cancel();
    sent.current = value;
    text.value = value;
  }, [value]);
  return (
    <input
      ref={inputRef ?? null}
      type="search"
      class={rest.class}
      aria-label={label}
      {...(shortcut === undefined ? {} : { 'aria-keyshortcuts': shortcut })}
      placeholder={placeholder}
      maxLength={MAX_LENGTH}
      value={text.value}
      onInput={({ currentTarget }) => {
        text.value = currentTarget.value;
        search.schedule(currentTarget.value);
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && !event.isComposing) search.runNow(text.value);
      }}
    />
  );
}
