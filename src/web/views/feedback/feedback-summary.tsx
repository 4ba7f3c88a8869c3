import type { Detection } from '../../../client/misstep-client.generated.ts';
import { visibleText } from '../../parts/visible-text.ts';
import style from './feedback-buttons.module.css';

/** The newest feedback on a detection; renders nothing without feedback. */
export function FeedbackSummary({ validation }: Pick<Detection, 'validation'>) {
  if (validation === null) return null;
  return (
    <p class={style.said}>
      Marked {validation.is_valid ? 'right' : 'wrong'}
      {validation.feedback !== null && (
        <>
          : <bdi>{visibleText(validation.feedback)}</bdi>
        </>
      )}
    </p>
  );
}
