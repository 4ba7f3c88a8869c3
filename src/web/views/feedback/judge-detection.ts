import type { Detection, DetectionPage } from '../../../client/misstep-client.generated.ts';
import { queries } from '../../data/queries.ts';
import { server } from '../../data/server.ts';
import { tenantId } from '../../data/session.ts';
import { showFailure, showToast } from '../../parts/toasts.tsx';

type Validation = Detection['validation'];

/** Key of the detections of a trace. */
export function detectionsKey(traceId: string): string {
  return `trace:${traceId}:detections`;
}

/** Key of the newest detections of an issue. */
export function runsKey(issueId: string): string {
  return `issues/runs/${tenantId.value}/${issueId}`;
}

/** Submits feedback that a detection is right or wrong. The page shows it immediately, and it can be undone. */
export async function judgeDetection(detection: Detection, isRight: boolean, comment: string | null): Promise<void> {
  const { detection_id, validation: before } = detection;
  show(detection, { is_valid: isRight, feedback: comment, at: new Date().toISOString() });
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
    showToast(`Marked ${isRight ? 'right' : 'wrong'}`, () => void withdraw(detection, feedback_id, before));
  } catch (error) {
    show(detection, before);
    showFailure('Not marked', error, () => void judgeDetection(detection, isRight, comment));
  }
}

async function withdraw(detection: Detection, feedbackId: string, before: Validation): Promise<void> {
  show(detection, before);
  try {
    await server.feedback.withdraw({ tenant_id: tenantId.value!, feedback_id: feedbackId });
  } catch (error) {
    showFailure('Not undone', error, () => void withdraw(detection, feedbackId, before));
  }
  refresh(detection);
}

/** In both places that show it: the trace and the inbox. */
function show({ detection_id, trace_id, issue_id }: Detection, validation: Validation): void {
  const changed = (list: Detection[]) =>
    list.map((one) =>
      one.detection_id === detection_id ? { ...one, validation, validated: validation !== null } : one,
    );
  queries.patch<Detection[]>(detectionsKey(trace_id), changed);
  if (issue_id !== null)
    queries.patch<DetectionPage>(runsKey(issue_id), (page) => ({ ...page, items: changed(page.items) }));
}

/** The grade of the run, its issue, and the figures of the detector change with the mark. */
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
