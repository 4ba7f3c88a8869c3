import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Detection } from '../../../client/misstep-client.generated.ts';
import { may } from '../../data/session.ts';
import { Button } from '../../parts/button.tsx';
import { visibleText } from '../../parts/visible-text.ts';
import { useShortcuts } from '../../shell/shortcuts.ts';
import styles from './detection-panel.module.css';

interface FeedbackFormProps {
  detection: Detection;
  /** @param comment null for none */
  judge(isRight: boolean, comment: string | null): void;
}

const LONGEST_COMMENT = 4_000;

/** Whether a detection is right, with a reason for those who tune it. */
export function FeedbackForm({ detection, judge }: FeedbackFormProps) {
  const comment = useSignal('');
  useEffect(() => {
    comment.value = '';
  }, [detection.detection_id]);
  const say = (isRight: boolean) => judge(isRight, comment.value.trim() === '' ? null : comment.value.trim());
  const shortcuts = [
    { keys: 'y', label: 'The detection is right', run: () => say(true) },
    { keys: 'n', label: 'The detection is wrong', run: () => say(false) },
  ];
  useShortcuts(may('write') ? shortcuts : []);
  const { validation } = detection;
  return (
    <section class={styles.feedback} aria-label="Feedback">
      {validation !== null && (
        <p class={styles.said}>
          Marked {validation.is_valid ? 'right' : 'wrong'}
          {validation.feedback !== null && (
            <>
              : <bdi>{visibleText(validation.feedback)}</bdi>
            </>
          )}
        </p>
      )}
      {may('write') && (
        <>
          <label class={styles.comment}>
            <span>Comment (optional)</span>
            <textarea
              rows={2}
              maxLength={LONGEST_COMMENT}
              value={comment.value}
              onInput={({ currentTarget }) => {
                comment.value = currentTarget.value;
              }}
            />
          </label>
          <div class={styles.buttons}>
            <Button shortcut="y" aria-pressed={validation?.is_valid === true} onClick={() => say(true)}>
              Right
            </Button>
            <Button shortcut="n" aria-pressed={validation?.is_valid === false} onClick={() => say(false)}>
              Wrong
            </Button>
          </div>
        </>
      )}
    </section>
  );
}
