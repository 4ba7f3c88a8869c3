/** Orders of the list of detections, newest first: by the time of the detection, or by the start of its run. */
export const DETECTION_ORDERS = ['created_at', 'started_at'] as const;
export type DetectionOrder = (typeof DETECTION_ORDERS)[number];
