import type {
  DetectorOverrides,
  DetectorSwitches,
  DiagnosticsDetectorStatusOutput,
  FeedbackRecommendationsOutput,
  FeedbackStatsOutput,
  Recommendation,
} from '../../../client/misstep-client.generated.ts';

/** The data of one detector, combined from five responses. */
export interface DetectorRow {
  detector: string;
  title: string;
  enabled: boolean;
  tier: string;
  threshold: DetectorOverrides[string] | undefined;
  measured: DiagnosticsDetectorStatusOutput['items'][number] | undefined;
  feedback: FeedbackStatsOutput['items'][number] | undefined;
  /** One for each subtype with feedback. */
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
    measured: status?.items.find((item) => item.detector === detector),
    feedback: feedback?.items.find(({ detection_type }) => detection_type === detector),
    recommendations: recommended?.items.filter((item) => item.detector === detector) ?? [],
  }));
}
