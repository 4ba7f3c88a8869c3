import type { AlertContent, AlertItem } from './alert.ts';
import type { Severity } from './severity.ts';

/** Texts shared by all channels. Trace data is kept out of them or is escaped by the channel. */
export const SEVERITY_NAMES: Readonly<Record<Severity, string>> = {
  critical: 'Critical',
  warning: 'Warning',
  info: 'Info',
  observation: 'Observation',
};

export const TEST_TITLE = 'Test alert from Misstep';
export const TEST_TEXT = 'This channel works. Alerts about your agents will arrive here.';

/** `82 %`; marked if the confidence is not calibrated on labelled data. `fact` if it is read directly from the trace. */
export function confidenceText({ confidence, isCalibrated, isFact = false }: AlertItem): string {
  if (isFact) return 'fact';
  const percent = `${Math.round(confidence * 100)} %`;
  return isCalibrated ? percent : `${percent} (not calibrated)`;
}

/** `2026-01-31 12:00:00 UTC`. */
export function momentText(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

/** `3 minutes`, rounded up. */
export function spanText(from: number, until: number): string {
  const minutes = Math.max(1, Math.ceil((until - from) / 60_000));
  return minutes === 1 ? '1 minute' : `${minutes} minutes`;
}

export function kindOf({ type, subtype }: AlertItem): string {
  return `${type}/${subtype}`;
}

/** The command that shows the whole detection. */
export function showCommand({ detectionId }: AlertItem): string {
  return `misstep detections show ${detectionId}`;
}

/** Chats limit the length of a message: a longer URL is omitted; the command above remains. */
const URL_LIMIT = 300;

/** The address of the detection in the dashboard, for a person to open; null if it is too long to show. */
export function linkOf({ url }: AlertItem): string | null {
  return url !== null && url.length <= URL_LIMIT ? url : null;
}

export const LINK_TEXT = 'Open in Misstep';

/** Title of a message; `title` is the escaped title of its detection. */
export function messageTitle(content: AlertContent, title: string): string {
  if (content.kind === 'test') return TEST_TITLE;
  if (content.kind === 'digest') return `${content.total} alerts from quiet hours`;
  const severity = SEVERITY_NAMES[content.item.severity];
  if (content.kind === 'alert') return `${severity}: ${title}`;
  if (content.kind === 'withdrawal') return `Withdrawn: ${title}`;
  return `${severity}, ${content.repeats} more: ${title}`;
}

/** What a message about an earlier alert adds; null for the other kinds. */
export function followUpText(content: AlertContent): string | null {
  if (content.kind === 'withdrawal')
    return 'This alert is withdrawn: with the later steps of the run, the failure is no longer found. The alert said:';
  if (content.kind !== 'follow_up') return null;
  const { repeats, from, until } = content;
  const times = repeats === 1 ? 'once more' : `${repeats} more times`;
  return `Seen ${times} within ${spanText(from, until)} of the alert. The latest:`;
}
