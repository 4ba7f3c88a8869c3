import type { Detection } from '../../../client/misstep-client.generated.ts';
import { hasScope } from '../../data/session.ts';
import { Button } from '../../parts/button.tsx';
import { useShortcuts } from '../../shell/shortcuts.ts';
import style from './feedback-buttons.module.css';

interface FeedbackButtonsProps {
  validation: Detection['validation'];
  judge(isRight: boolean): void;
}

/** Whether a detection is right, with one key for each answer; nothing for a key that only reads. */
export function FeedbackButtons({ validation, judge }: FeedbackButtonsProps) {
  const shortcuts = [
    { keys: 'y', label: 'The detection is right', run: () => judge(true) },
    { keys: 'n', label: 'The detection is wrong', run: () => judge(false) },
  ];
  useShortcuts(hasScope('write') ? shortcuts : []);
  if (!hasScope('write')) return null;
  return (
    <div class={style.buttons}>
      <Button shortcut="y" aria-pressed={validation?.is_valid === true} onClick={() => judge(true)}>
        Right
      </Button>
      <Button shortcut="n" aria-pressed={validation?.is_valid === false} onClick={() => judge(false)}>
        Wrong
      </Button>
    </div>
  );
}
