import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Detection } from '../../../client/misstep-client.generated.ts';
import { hasScope } from '../../data/session.ts';
import { FeedbackButtons } from '../feedback/feedback-buttons.tsx';
import { FeedbackSummary } from '../feedback/feedback-summary.tsx';
import styles from './detection-panel.module.css';

interface FeedbackFormProps {
  detection: Detection;
  /** @param comment null without a comment */
  onFeedback(isRight: boolean, comment: string | null): void;
}

const MAX_COMMENT_LENGTH = 4_000;

/** Feedback on a detection, with an optional comment. */
export function FeedbackForm({ detection, onFeedback }: FeedbackFormProps) {
  const comment = useSignal('');
  useEffect(() => {
    comment.value = '';
  }, [detection.detection_id]);
  const submit = (isRight: boolean) => onFeedback(isRight, comment.value.trim() === '' ? null : comment.value.trim());
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
              maxLength={MAX_COMMENT_LENGTH}
              value={comment.value}
              onInput={({ currentTarget }) => {
                comment.value = currentTarget.value;
              }}
            />
          </label>
          <FeedbackButtons validation={validation} onFeedback={submit} />
        </>
      )}
    </section>
  );
}
