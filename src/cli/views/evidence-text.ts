import type { Json } from '../../core/json.ts';
import type { DetectionRecord } from '../../features/detections/detection.record.ts';
import { count } from './amounts.ts';

/** The quote of a piece of evidence, or its value in words: `tokens 146,839, context window 200,000`. */
export function evidenceText({ quote, value }: Pick<DetectionRecord['evidence'][number], 'quote' | 'value'>): string {
  return quote ?? valueText(value);
}

/** `, the same in 4 steps` if several steps have the text. */
export function repeatedText({ step_count }: Pick<DetectionRecord['evidence'][number], 'step_count'>): string {
  return step_count > 1 ? `, the same in ${count(step_count)} steps` : '';
}

function valueText(value: Json): string {
  if (value === null) return '';
  if (typeof value !== 'object') return scalarText(value);
  if (Array.isArray(value)) return value.every(isScalar) ? value.map(scalarText).join(', ') : JSON.stringify(value);
  return Object.entries(value)
    .flatMap(([name, member]) => memberText(name, member))
    .join(', ');
}

/** Members without a value are omitted. A flag is its name. */
function memberText(name: string, member: Json): string[] {
  const label = name.replace(/^(?:is|has)_/, '').replaceAll('_', ' ');
  if (member === null || member === false) return [];
  if (member === true) return [label];
  return [`${label} ${isScalar(member) ? scalarText(member) : JSON.stringify(member)}`];
}

function isScalar(value: Json): value is string | number | boolean | null {
  return value === null || typeof value !== 'object';
}

function scalarText(value: string | number | boolean | null): string {
  if (typeof value !== 'number') return String(value);
  return Number.isInteger(value) ? count(value) : String(value);
}
