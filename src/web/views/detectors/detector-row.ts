import type {
  AnalyticsSeriesOutput,
  DetectorOverrides,
  DetectorSwitches,
  DiagnosticsDetectorStatusOutput,
  FeedbackRecommendationsOutput,
  FeedbackStatsOutput,
  Recommendation,
} from '../../../client/misstep-client.generated.ts';

/** The data of one detector, combined from six responses. */
export interface DetectorRow {
  detector: string;
  title: string;
  enabled: boolean;
  /** Whether the tenant switched it on, so that its previews are reported too. */
  reportsPreviews: boolean;
  tier: string;
  subtypes: DetectorSwitches['items'][number]['subtypes'];
  threshold: DetectorOverrides[string] | undefined;
  measured: DiagnosticsDetectorStatusOutput['items'][number] | undefined;
  feedback: FeedbackStatsOutput['items'][number] | undefined;
  /** One for each subtype with feedback. */
  recommendations: Recommendation[];
  /** Recent detections of the tenant; undefined until loaded. */
  detections: number | undefined;
}

interface OtherResponses {
  overrides: DetectorOverrides | undefined;
  status: DiagnosticsDetectorStatusOutput | undefined;
  feedback: FeedbackStatsOutput | undefined;
  recommended: FeedbackRecommendationsOutput | undefined;
  detections: AnalyticsSeriesOutput | undefined;
}

export function rowsOf(
  { items }: DetectorSwitches,
  { overrides, status, feedback, recommended, detections }: OtherResponses,
): DetectorRow[] {
  return items.map(({ detector, title, enabled, reports_previews, tier, subtypes }) => ({
    detector,
    title,
    enabled,
    reportsPreviews: reports_previews,
    tier,
    subtypes,
    threshold: overrides?.[detector],
    measured: status?.items.find((item) => item.detector === detector),
    feedback: feedback?.items.find(({ detection_type }) => detection_type === detector),
    recommendations: recommended?.items.filter((item) => item.detector === detector) ?? [],
    detections: detections && (detections.series.find(({ key }) => key === detector)?.total ?? 0),
  }));
}

/** Whether the detector runs and reports nothing, because all of its subtypes are previews. */
export function isPreviewOnly({
  enabled,
  reportsPreviews,
  subtypes,
}: Pick<DetectorRow, 'enabled' | 'reportsPreviews' | 'subtypes'>): boolean {
  return enabled && !reportsPreviews && subtypes.every(({ maturity }) => maturity === 'preview');
}
