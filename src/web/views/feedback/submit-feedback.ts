import type { Detection, DetectionPage } from '../../../client/misstep-client.generated.ts';
import { queries } from '../../data/queries.ts';
import { server } from '../../data/server.ts';
import { tenantId } from '../../data/session.ts';
import { showFailure, showToast } from '../../parts/toasts.tsx';

type Validation = Detection['validation'];

/** Query key of the detections of a trace. */
export function detectionsKey(traceId: string): string {
  return `trace:${traceId}:detections`;
}

/** Query key of the newest detections of an issue. */
export function runsKey(issueId: string): string {
  return `issues/runs/${tenantId.value}/${issueId}`;
}

/** Submits feedback that a detection is right or wrong. The page shows it immediately, and it can be undone. */
export async function submitFeedback(detection: Detection, isRight: boolean, comment: string | null): Promise<void> {
  const { detection_id, validation: previous } = detection;
  patchValidation(detection, { is_valid: isRight, feedback: comment, at: new Date().toISOString() });
  try {
    const { feedback_id } = await server.feedback.submit({
      tenant_id: tenantId.value!,
      body: {
        detection_id,
        feedback_type: feedbackType(detection, isRight),
        ...(comment === null ? {} : { comment }),
      },
    });
    refresh(detection);
    showToast(`Marked ${isRight ? 'right' : 'wrong'}`, () => void withdraw(detection, feedback_id, previous));
  } catch (error) {
    patchValidation(detection, previous);
    showFailure('Not marked', error, () => void submitFeedback(detection, isRight, comment));
  }
}

async function withdraw(detection: Detection, feedbackId: string, previous: Validation): Promise<void> {
  patchValidation(detection, previous);
  try {
    await server.feedback.withdraw({ tenant_id: tenantId.value!, feedback_id: feedbackId });
  } catch (error) {
    showFailure('Not undone', error, () => void withdraw(detection, feedbackId, previous));
  }
  refresh(detection);
}

/** Updates the cached detection of the trace page and of the inbox. */
function patchValidation({ detection_id, trace_id, issue_id }: Detection, validation: Validation): void {
  const withValidation = (list: Detection[]) =>
    list.map((detection) =>
      detection.detection_id === detection_id
        ? { ...detection, validation, validated: validation !== null }
        : detection,
    );
  queries.patch<Detection[]>(detectionsKey(trace_id), withValidation);
  if (issue_id !== null)
    queries.patch<DetectionPage>(runsKey(issue_id), (page) => ({ ...page, items: withValidation(page.items) }));
}

/** Refetches what depends on the feedback: the grade of the run, its issue, and the figures of the detector. */
function refresh({ trace_id }: Detection): void {
  queries.invalidate(`trace:${trace_id}:summary`);
  queries.invalidate(detectionsKey(trace_id));
  queries.invalidate('issues');
  queries.invalidate('detectors/');
}

function feedbackType({ severity }: Detection, isRight: boolean) {
  if (severity === 'observation') return isRight ? 'false_negative' : 'true_negative';
  return isRight ? 'true_positive' : 'false_positive';
}
