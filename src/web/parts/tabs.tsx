import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { count } from './amounts.ts';
import styles from './tabs.module.css';

export interface Tab<Name extends string> {
  name: Name;
  title: string;
  /** Shown after the title; omitted for 0 and undefined. */
  count?: number;
}

interface TabsProps<Name extends string> {
  /** The accessible name of the tab list. */
  label: string;
  /** Unique in the page. */
  id: string;
  tabs: readonly Tab<Name>[];
  selected: Name;
  onSelect(name: Name): void;
  children: ComponentChildren;
}

/** Tabs with the keys of the ARIA Authoring Practices; the children are the panel of the selected tab. */
export function Tabs<Name extends string>({ label, id, tabs, selected, onSelect, children }: TabsProps<Name>) {
  const list = useRef<HTMLDivElement>(null);
  function onKeyDown(event: KeyboardEvent) {
    const index = tabs.findIndex(({ name }) => name === selected);
    const target = { ArrowRight: index + 1, ArrowLeft: index - 1, Home: 0, End: tabs.length - 1 }[event.key];
    if (target === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const targetIndex = (target + tabs.length) % tabs.length;
    onSelect(tabs[targetIndex]!.name);
    (list.current?.children[targetIndex] as HTMLElement | undefined)?.focus();
  }
  return (
    <>
      <div role="tablist" aria-label={label} class={styles.list} ref={list} onKeyDown={onKeyDown}>
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
