import type { Span } from '../../client/misstep-client.generated.ts';

export const DETAIL_TABS = ['input', 'output', 'messages', 'attributes', 'state', 'raw'] as const;
export type DetailTab = (typeof DETAIL_TABS)[number];

/** Where the detail of a step shows what `path` of an evidence names; null for a path that belongs to no tab. */
export function tabOfPath(path: string | null): DetailTab | null {
  if (path === null) return null;
  const place = PLACES.find(
    ([start]) => path === start || path.startsWith(`${start}.`) || path.startsWith(`${start}[`),
  );
  return place?.[1] ?? null;
}

const PLACES: readonly (readonly [string, DetailTab])[] = [
  ['tool.arguments', 'input'],
  ['tool.result', 'output'],
  ['input_messages', 'messages'],
  ['output_messages', 'messages'],
  ['messages', 'messages'],
  ['input', 'input'],
  ['output', 'output'],
  ['error', 'output'],
  ['status', 'output'],
  ['attributes', 'attributes'],
  ['state', 'state'],
  ['delta', 'state'],
  ['state_hash', 'state'],
];

/** The tab that shows the quote: that of its path where the quote is in it, else the first tab that has it. */
export function tabOfQuote(span: Span, path: string | null, quote: string | null): DetailTab | null {
  const named = tabOfPath(path);
  if (quote === null || quote === '') return named;
  const holds = (tab: DetailTab) => textsOfTab(span, tab).some((text) => text.includes(quote));
  if (named !== null && holds(named)) return named;
  return DETAIL_TABS.find(holds) ?? named;
}

/**
 * The passage of a step's texts that a quote refers to: the quote itself, or its text in parentheses, because quotes of
 * calls are written `search({"q": 1})`.
 */
export function passageOf(span: Span, quote: string | null): string | null {
  if (quote === null) return null;
  const inner = /^[^()]*\((.+)\)$/s.exec(quote)?.[1];
  const isIn = (passage: string) =>
    DETAIL_TABS.some((tab) => textsOfTab(span, tab).some((text) => text.includes(passage)));
  return inner !== undefined && !isIn(quote) && isIn(inner) ? inner : quote;
}

function textsOfTab({ step, status, attributes }: Span, tab: DetailTab): string[] {
  if (tab === 'attributes') return Object.values(attributes).filter((value) => typeof value === 'string');
  if (step === null) return [];
  if (tab === 'input') return [step.input];
  if (tab === 'output') return [step.output, step.error?.message ?? '', status.message];
  if (tab === 'messages') return [...step.input_messages, ...step.output_messages].map(({ content }) => content);
  return [];
}
