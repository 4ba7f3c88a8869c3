import { useRef } from 'preact/hooks';
import style from './menu.module.css';

interface MenuProps {
  label: string;
  choices: readonly { label: string; run(): void }[];
}

/** A button that opens a few choices. Escape and a click elsewhere close it. */
export function Menu({ label, choices }: MenuProps) {
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
        {choices.map((choice) => (
          <button
            key={choice.label}
            type="button"
            onClick={() => {
              close();
              choice.run();
            }}
          >
            {choice.label}
          </button>
        ))}
      </div>
    </details>
  );
}
