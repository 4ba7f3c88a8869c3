import { useRef } from 'preact/hooks';
import style from './menu.module.css';

interface MenuProps {
  label: string;
  items: readonly { label: string; run(): void }[];
}

/** A button that opens a menu. Escape or a click outside closes the menu. */
export function Menu({ label, items }: MenuProps) {
  const menu = useRef<HTMLDetailsElement>(null);
  const close = () => menu.current?.removeAttribute('open');
  return (
    <details
      ref={menu}
      class={style.menu}
      onFocusOut={({ relatedTarget }) => {
        if (relatedTarget instanceof Node && !menu.current?.contains(relatedTarget)) close();
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !menu.current?.open) return;
        event.stopPropagation();
        close();
        menu.current.querySelector('summary')?.focus();
      }}
    >
      <summary class={style.button}>{label}</summary>
      <div class={style.choices}>
        {items.map((item) => (
          <button
            key={item.label}
            type="button"
            onClick={() => {
              close();
              item.run();
            }}
          >
            {item.label}
          </button>
        ))}
      </div>
    </details>
  );
}
