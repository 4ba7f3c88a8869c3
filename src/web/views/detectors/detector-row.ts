import type {
  DetectorOverrides,
  DetectorSwitches,
  DiagnosticsDetectorStatusOutput,
  FeedbackStatsOutput,
} from '../../../client/misstep-client.generated.ts';

/** What is known of one detector, from four answers. */
export interface DetectorRow {
  detector: string;
  title: string;
  enabled: boolean;
  tier: string;
  threshold: DetectorOverrides[string] | undefined;
  measured: DiagnosticsDetectorStatusOutput['items'][number] | undefined;
  feedback: FeedbackStatsOutput['items'][number] | undefined;
}

export function rowsOf(
  { items }: DetectorSwitches,
  overrides: DetectorOverrides | undefined,
  status: DiagnosticsDetectorStatusOutput | undefined,
  feedback: FeedbackStatsOutput | undefined,
): DetectorRow[] {
  return items.map(({ detector, title, enabled, tier }) => ({
    detector,
    title,
    enabled,
    tier,
    threshold: overrides?.[detector],
    measured: status?.items.find((one) => one.detector === detector),
    feedback: feedback?.items.find(({ detection_type }) => detection_type === detector),
  }));
}
