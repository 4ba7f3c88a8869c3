import type { Signal } from '@preact/signals';
import { set } from '../../data/set-signal.ts';
import type { OwnChange } from './executors.ts';
import style from './healing.module.css';

const FORMATS = {
  text: 'Replace a passage of a text',
  'json-patch': 'JSON Patch (RFC 6902)',
  'unified-diff': 'Unified diff',
} as const satisfies Record<OwnChange['format'], string>;

const NEW_CONTENT_LABELS = {
  text: 'New passage',
  'json-patch': 'Operations, such as [{"op":"replace","path":"/max_rounds","value":6}]',
  'unified-diff': 'Diff of one file',
} as const satisfies Record<OwnChange['format'], string>;

interface OwnChangeFieldsProps {
  change: Signal<OwnChange>;
  isByHand: boolean;
}

/** Input fields for a custom change. */
export function OwnChangeFields({ change, isByHand }: OwnChangeFieldsProps) {
  const { format, before, after } = change.value;
  const update = (part: Partial<OwnChange>) => set(change, { ...change.value, ...part });
  return (
    <div class={style.inner}>
      <label class={style.area}>
        Format
        <select
          value={format}
          onChange={({ currentTarget }) => update({ format: currentTarget.value as OwnChange['format'] })}
        >
          {Object.entries(FORMATS).map(([name, label]) => (
            <option key={name} value={name}>
              {label}
            </option>
          ))}
        </select>
      </label>
      {format === 'text' && (
        <label class={style.area}>
          {isByHand ? 'Passage that is replaced (optional)' : 'Passage that is replaced; it must occur exactly once'}
          <textarea
            rows={3}
            spellcheck={false}
            value={before ?? ''}
            onInput={({ currentTarget }) => update({ before: currentTarget.value })}
          />
        </label>
      )}
      <label class={style.area}>
        {NEW_CONTENT_LABELS[format]}
        <textarea
          rows={5}
          required
          spellcheck={false}
          value={after}
          onInput={({ currentTarget }) => update({ after: currentTarget.value })}
        />
      </label>
    </div>
  );
}
