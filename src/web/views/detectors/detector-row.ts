import type {
  DetectorOverrides,
  DetectorSwitches,
  DiagnosticsDetectorStatusOutput,
  FeedbackRecommendationsOutput,
  FeedbackStatsOutput,
  Recommendation,
} from '../../../client/misstep-client.generated.ts';

/** What is known of one detector, from five answers. */
export interface DetectorRow {
  detector: string;
  title: string;
  enabled: boolean;
  tier: string;
  threshold: DetectorOverrides[string] | undefined;
  measured: DiagnosticsDetectorStatusOutput['items'][number] | undefined;
  feedback: FeedbackStatsOutput['items'][number] | undefined;
  /** Of each subtype with feedback. */
  recommendations: Recommendation[];
}

export function rowsOf(
  { items }: DetectorSwitches,
  overrides: DetectorOverrides | undefined,
  status: DiagnosticsDetectorStatusOutput | undefined,
  feedback: FeedbackStatsOutput | undefined,
  recommended: FeedbackRecommendationsOutput | undefined,
): DetectorRow[] {
  return items.map(({ detector, title, enabled, tier }) => ({
    detector,
    title,
    enabled,
    tier,
    threshold: overrides?.[detector],
    measured: status?.items.find((one) => one.detector === detector),
    feedback: feedback?.items.find(({ detection_type }) => detection_type === detector),
    recommendations: recommended?.items.filter((one) => one.detector === detector) ?? [],
  }));
}
