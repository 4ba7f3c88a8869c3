import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { navigate } from '../address/router.ts';
import { tenantId } from '../data/session.ts';
import { set } from '../data/set-signal.ts';
import { Dialog } from '../parts/dialog.tsx';
import { useDelayedCall } from '../parts/use-delayed-call.ts';
import { visibleText } from '../parts/visible-text.ts';
import { useFoundEntries } from './found-entries.ts';
import { allowedEntries } from './navigation.tsx';
import style from './palette.module.css';
import { type PaletteEntry, paletteEntries } from './palette-entries.ts';

/** Command palette: opens a view, an issue, an agent, a workflow or a trace by name, and a trace, an issue or a plan by id. */
export function Palette({ close }: { close(): void }) {
  const search = useSignal('');
  const searched = useSignal('');
  const activeIndex = useSignal(0);
  const startSearch = useDelayedCall((text: string) => set(searched, text.trim()));
  const text = search.value.trim();
  const isTyping = searched.value !== text;
  const found = useFoundEntries(tenantId.value, searched.value);
  const entries = [...paletteEntries(text, allowedEntries()), ...(isTyping ? [] : found.entries)];
  const activeAt = Math.min(activeIndex.value, entries.length - 1);
  useEffect(() => {
    document.getElementById(optionId(activeAt))?.scrollIntoView({ block: 'nearest' });
  }, [activeAt]);

  function open(to: string | undefined) {
    if (to === undefined) return;
    close();
    navigate(to);
  }

  function onKeyDown(event: KeyboardEvent) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && entries.length > 0) {
      event.preventDefault();
      activeIndex.value = (activeAt + step + entries.length) % entries.length;
    } else if (event.key === 'Enter' && !event.isComposing) {
      event.preventDefault();
      open(entries[activeAt]?.to);
    }
  }

  return (
    <Dialog title="Go to" close={close} isBare>
      <input
        class={style.field}
        role="combobox"
        aria-expanded={entries.length > 0}
        aria-autocomplete="list"
        aria-controls="palette-list"
        aria-activedescendant={activeAt < 0 ? undefined : optionId(activeAt)}
        aria-label="Go to a view, issue, agent, workflow or trace, by name or id"
        placeholder="A view, issue, agent, workflow or trace, by name or id"
        autocomplete="off"
        spellcheck={false}
        autofocus
        maxLength={200}
        value={search.value}
        onInput={({ currentTarget }) => {
          search.value = currentTarget.value;
          activeIndex.value = 0;
          startSearch.schedule(currentTarget.value);
        }}
        onKeyDown={onKeyDown}
      />
      <div id="palette-list" role="listbox" aria-label="Places" class={style.list}>
        {[...Map.groupBy(entries, ({ group }) => group)].map(([group, members]) => (
          // biome-ignore lint/a11y/useSemanticElements: a list box may contain groups, but no fieldset
          <div key={group} role="group" aria-label={group} class={style.group}>
            <span class={style.title} aria-hidden="true">
              {group}
            </span>
            {members.map((entry) => (
              <Option
                key={entry.to}
                entry={entry}
                index={entries.indexOf(entry)}
                isActive={entries.indexOf(entry) === activeAt}
                open={() => open(entry.to)}
              />
            ))}
          </div>
        ))}
      </div>
      <p role="status" class={style.none}>
        {statusText({ isLoading: isTyping || found.isLoading, hasFailed: found.error !== undefined, entries })}
      </p>
    </Dialog>
  );
}

function optionId(index: number): string {
  return `palette-${index}`;
}

interface OptionProps {
  entry: PaletteEntry;
  index: number;
  isActive: boolean;
  open(): void;
}

function Option({ entry: { label, detail, keys }, index, isActive, open }: OptionProps) {
  return (
    <button
      type="button"
      tabIndex={-1}
      id={optionId(index)}
      role="option"
      aria-selected={isActive}
      class={style.entry}
      onClick={open}
    >
      <span class={style.label} dir="auto">
        {visibleText(label)}
      </span>
      {detail !== undefined && (
        <span class={style.detail} dir="auto">
          {visibleText(detail)}
        </span>
      )}
      {keys && <kbd>{keys}</kbd>}
    </button>
  );
}

interface Progress {
  isLoading: boolean;
  hasFailed: boolean;
  entries: readonly PaletteEntry[];
}

function statusText({ isLoading, hasFailed, entries }: Progress): string {
  if (isLoading) return 'Searching…';
  if (hasFailed) return 'Issues, agents, workflows and traces could not be searched.';
  return entries.length === 0 ? 'No match. The id of a trace, an issue or a plan opens it as well.' : '';
}
