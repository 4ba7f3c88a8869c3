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

type Switched = Pick<DetectorRow, 'enabled' | 'reportsPreviews' | 'subtypes'>;

/** Whether the detector runs and reports nothing, because all of its subtypes are previews. */
export function isPreviewOnly({ enabled, reportsPreviews, subtypes }: Switched): boolean {
  return enabled && !reportsPreviews && subtypes.every(({ maturity }) => maturity === 'preview');
}

/** What a detector that is on does with its previews; null if it is off or has none. */
export function previewText(row: Switched): string | null {
  if (!row.enabled || !row.subtypes.some(({ maturity }) => maturity === 'preview')) return null;
  if (isPreviewOnly(row)) return 'preview only: reports nothing';
  return row.reportsPreviews ? 'with previews' : 'without previews';
}

/** Whether the previews are switched apart from the detector: it is on, and some of its subtypes are previews, but not all. */
export function hasPreviewSwitch({ enabled, subtypes }: Switched): boolean {
  const previews = subtypes.filter(({ maturity }) => maturity === 'preview').length;
  return enabled && previews > 0 && previews < subtypes.length;
}

/** The setting that switches a detector on: null for the default, true if it has only previews, which the default does not report. */
export function settingOfOn({ subtypes }: Pick<Switched, 'subtypes'>): true | null {
  return isPreviewOnly({ enabled: true, reportsPreviews: false, subtypes }) ? true : null;
}
