import type { Detection } from '../../../client/misstep-client.generated.ts';
import { hasScope } from '../../data/session.ts';
import { Button } from '../../parts/button.tsx';
import { useShortcuts } from '../../shell/shortcuts.ts';
import style from './feedback-buttons.module.css';

interface FeedbackButtonsProps {
  validation: Detection['validation'];
  onFeedback(isRight: boolean): void;
}

/** Buttons and shortcuts to mark a detection right or wrong; none for a read-only key. */
export function FeedbackButtons({ validation, onFeedback }: FeedbackButtonsProps) {
  const shortcuts = [
    { keys: 'y', label: 'The detection is right', run: () => onFeedback(true) },
    { keys: 'n', label: 'The detection is wrong', run: () => onFeedback(false) },
  ];
  useShortcuts(hasScope('write') ? shortcuts : []);
  if (!hasScope('write')) return null;
  return (
    <div class={style.buttons}>
      <Button shortcut="y" aria-pressed={validation?.is_valid === true} onClick={() => onFeedback(true)}>
        Right
      </Button>
      <Button shortcut="n" aria-pressed={validation?.is_valid === false} onClick={() => onFeedback(false)}>
        Wrong
      </Button>
    </div>
  );
}
