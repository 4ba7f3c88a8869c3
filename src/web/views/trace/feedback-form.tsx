import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Detection } from '../../../client/misstep-client.generated.ts';
import { hasScope } from '../../data/session.ts';
import { FeedbackButtons } from '../feedback/feedback-buttons.tsx';
import { FeedbackSummary } from '../feedback/feedback-summary.tsx';
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
  const { validation } = detection;
  return (
    <section class={styles.feedback} aria-label="Feedback">
      <FeedbackSummary validation={validation} />
      {hasScope('write') && (
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
          <FeedbackButtons validation={validation} judge={say} />
        </>
      )}
    </section>
  );
}
