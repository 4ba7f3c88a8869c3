import { useSignal } from '@preact/signals';
import { navigate } from '../address/router.ts';
import { Dialog } from '../parts/dialog.tsx';
import { allowedEntries } from './navigation.tsx';
import style from './palette.module.css';
import { paletteEntries } from './palette-entries.ts';

/** Command palette: opens a view by name, or a trace or issue by id. */
export function Palette({ close }: { close(): void }) {
  const search = useSignal('');
  const activeIndex = useSignal(0);
  const entries = paletteEntries(search.value, allowedEntries());
  const activeEntry = entries[Math.min(activeIndex.value, entries.length - 1)];

  function open(to: string | undefined) {
    if (to === undefined) return;
    close();
    navigate(to);
  }

  function onKeyDown(event: KeyboardEvent) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && entries.length > 0) {
      event.preventDefault();
      activeIndex.value = (activeIndex.value + step + entries.length) % entries.length;
    } else if (event.key === 'Enter') {
      event.preventDefault();
      open(activeEntry?.to);
    }
  }

  return (
    <Dialog title="Go to" close={close} isBare>
      <input
        class={style.field}
        role="combobox"
        aria-expanded="true"
        aria-controls="palette-list"
        aria-activedescendant={activeEntry ? `palette-${entries.indexOf(activeEntry)}` : undefined}
        aria-label="Go to a view, or paste the id of a trace or an issue"
        placeholder="Go to a view, or paste an id"
        autocomplete="off"
        spellcheck={false}
        autofocus
        value={search.value}
        onInput={({ currentTarget }) => {
          search.value = currentTarget.value;
          activeIndex.value = 0;
        }}
        onKeyDown={onKeyDown}
      />
      <div id="palette-list" role="listbox" aria-label="Places" class={style.list}>
        {entries.map((entry, index) => (
          <button
            type="button"
            tabIndex={-1}
            key={entry.to}
            id={`palette-${index}`}
            role="option"
            aria-selected={entry === activeEntry}
            class={style.entry}
            onClick={() => open(entry.to)}
          >
            <span dir="auto">{entry.label}</span>
            {entry.keys && <kbd>{entry.keys}</kbd>}
          </button>
        ))}
      </div>
      {entries.length === 0 && <p class={style.none}>No match. Paste the id of a trace or an issue to open it.</p>}
    </Dialog>
  );
}
