import { set } from '../data/set-signal.ts';
import { Dialog } from '../parts/dialog.tsx';
import style from './help-dialog.module.css';
import { density, singleKeys } from './preferences.ts';
import { shortcuts } from './shortcuts.ts';

/** The active shortcuts, and the preferences of this browser. */
export function HelpDialog({ close }: { close(): void }) {
  return (
    <Dialog title="Keyboard shortcuts" close={close}>
      <dl class={style.keys}>
        {shortcuts.value.map(({ keys, label }) => (
          <div key={keys}>
            <dt>
              {keys
                .replace('Mod+', 'Ctrl ')
                .split(' ')
                .map((key) => (
                  <kbd key={key}>{key}</kbd>
                ))}
            </dt>
            <dd>{label}</dd>
          </div>
        ))}
      </dl>
      <label class={style.choice}>
        <input
          type="checkbox"
          checked={singleKeys.value === 'on'}
          onChange={({ currentTarget }) => set(singleKeys, currentTarget.checked ? 'on' : 'off')}
        />
        Enable shortcuts without Ctrl
      </label>
      <label class={style.choice}>
        <input
          type="checkbox"
          checked={density.value === 'roomy'}
          onChange={({ currentTarget }) => set(density, currentTarget.checked ? 'roomy' : 'dense')}
        />
        Taller rows
      </label>
    </Dialog>
  );
}
