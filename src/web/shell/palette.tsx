import { useSignal } from '@preact/signals';
import { goTo } from '../address/router.ts';
import { Dialog } from '../parts/dialog.tsx';
import { shownEntries } from './navigation.tsx';
import style from './palette.module.css';
import { paletteEntries } from './palette-entries.ts';

/** Command palette: opens a view by name, or a trace or issue by its id. */
export function Palette({ close }: { close(): void }) {
  const text = useSignal('');
  const at = useSignal(0);
  const entries = paletteEntries(text.value, shownEntries());
  const chosen = entries[Math.min(at.value, entries.length - 1)];

  function follow(to: string | undefined) {
    if (to === undefined) return;
    close();
    goTo(to);
  }

  function move(event: KeyboardEvent) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && entries.length > 0) {
      event.preventDefault();
      at.value = (at.value + step + entries.length) % entries.length;
    } else if (event.key === 'Enter') {
      event.preventDefault();
      follow(chosen?.to);
    }
  }

  return (
    <Dialog title="Go to" close={close} isBare>
      <input
        class={style.field}
        role="combobox"
        aria-expanded="true"
        aria-controls="palette-list"
        aria-activedescendant={chosen ? `palette-${entries.indexOf(chosen)}` : undefined}
        aria-label="Go to a view, or paste the id of a trace or an issue"
        placeholder="Go to a view, or paste an id"
        autocomplete="off"
        spellcheck={false}
        autofocus
        value={text.value}
        onInput={({ currentTarget }) => {
          text.value = currentTarget.value;
          at.value = 0;
        }}
        onKeyDown={move}
      />
      <div id="palette-list" role="listbox" aria-label="Places" class={style.list}>
        {entries.map((entry, index) => (
          <button
            type="button"
            tabIndex={-1}
            key={entry.to}
            id={`palette-${index}`}
            role="option"
            aria-selected={entry === chosen}
            class={style.entry}
            onClick={() => follow(entry.to)}
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
