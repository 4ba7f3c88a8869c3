import type { Evidence } from '../../client/misstep-client.generated.ts';

/** What a piece of evidence shows: its quote, otherwise its value. Empty if it has neither. */
export function evidenceText({ quote, value }: Pick<Evidence, 'quote' | 'value'>): string {
  if (quote !== null) return quote;
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Where a piece of evidence is in its step: `tool.arguments`. */
export function evidenceLabel({ path, kind }: Pick<Evidence, 'path' | 'kind'>): string {
  return (path ?? kind).replaceAll('_', ' ');
}
