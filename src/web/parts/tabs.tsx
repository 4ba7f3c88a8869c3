import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { count } from './amounts.ts';
import styles from './tabs.module.css';

export interface Tab<Name extends string> {
  name: Name;
  title: string;
  /** Shown after the title; left out for 0 and undefined. */
  count?: number;
}

interface TabsProps<Name extends string> {
  /** Names the list of tabs. */
  label: string;
  /** Unique in the page. */
  id: string;
  tabs: readonly Tab<Name>[];
  selected: Name;
  onSelect(name: Name): void;
  children: ComponentChildren;
}

/** Tabs with the keys of the ARIA Authoring Practices; the children are the panel of the selected one. */
export function Tabs<Name extends string>({ label, id, tabs, selected, onSelect, children }: TabsProps<Name>) {
  const list = useRef<HTMLDivElement>(null);
  function move(event: KeyboardEvent) {
    const at = tabs.findIndex(({ name }) => name === selected);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key];
    if (to === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const place = (to + tabs.length) % tabs.length;
    onSelect(tabs[place]!.name);
    (list.current?.children[place] as HTMLElement | undefined)?.focus();
  }
  return (
    <>
      <div role="tablist" aria-label={label} class={styles.list} ref={list} onKeyDown={move}>
        {tabs.map(({ name, title, count: amount }) => (
          <button
            type="button"
            role="tab"
            id={`${id}-${name}`}
            key={name}
            aria-selected={name === selected}
            aria-controls={`${id}-panel`}
            tabIndex={name === selected ? 0 : -1}
            onClick={() => onSelect(name)}
          >
            {title}
            {amount ? <span class={styles.count}>{count(amount)}</span> : null}
          </button>
        ))}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a panel that scrolls must be reachable by keyboard */}
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${selected}`} class={styles.panel} tabIndex={0}>
        {children}
      </div>
    </>
  );
}
