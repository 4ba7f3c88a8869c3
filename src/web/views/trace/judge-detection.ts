import type { Detection } from '../../../client/misstep-client.generated.ts';
import { queries } from '../../data/queries.ts';
import { server } from '../../data/server.ts';
import { tenantId } from '../../data/session.ts';
import { tell, tellFailure } from '../../parts/toasts.tsx';
import { detectionsKey } from './trace-queries.ts';

type Validation = Detection['validation'];

/** Says that a detection is right or wrong: at once on the page, then on the server; undone on request. */
export async function judgeDetection(detection: Detection, isRight: boolean, comment: string | null): Promise<void> {
  const { detection_id: id, trace_id: traceId, validation: before } = detection;
  show(traceId, id, { is_valid: isRight, feedback: comment, at: new Date().toISOString() });
  try {
    const { feedback_id } = await server.feedback.submit({
      tenant_id: tenantId.value!,
      body: {
        detection_id: id,
        feedback_type: feedbackType(detection, isRight),
        ...(comment === null ? {} : { comment }),
      },
    });
    refresh(traceId);
    tell(`Marked ${isRight ? 'right' : 'wrong'}`, () => void withdraw(traceId, id, feedback_id, before));
  } catch (error) {
    show(traceId, id, before);
    tellFailure('Not marked', error, () => void judgeDetection(detection, isRight, comment));
  }
}

async function withdraw(traceId: string, detectionId: string, feedbackId: string, before: Validation): Promise<void> {
  show(traceId, detectionId, before);
  try {
    await server.feedback.withdraw({ tenant_id: tenantId.value!, feedback_id: feedbackId });
  } catch (error) {
    tellFailure('Not undone', error, () => void withdraw(traceId, detectionId, feedbackId, before));
  }
  refresh(traceId);
}

function show(traceId: string, detectionId: string, validation: Validation): void {
  queries.patch<Detection[]>(detectionsKey(traceId), (list) =>
    list.map((one) =>
      one.detection_id === detectionId ? { ...one, validation, validated: validation !== null } : one,
    ),
  );
}

/** The grade of the run and its issue change with the mark. */
function refresh(traceId: string): void {
  queries.invalidate(`trace:${traceId}:summary`);
  queries.invalidate(detectionsKey(traceId));
  queries.invalidate('issues');
}

function feedbackType({ severity }: Detection, isRight: boolean) {
  if (severity === 'observation') return isRight ? 'false_negative' : 'true_negative';
  return isRight ? 'true_positive' : 'false_positive';
}
