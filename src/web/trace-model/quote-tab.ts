import type { Span } from '../../client/misstep-client.generated.ts';

export const DETAIL_TABS = ['input', 'output', 'messages', 'attributes', 'state', 'raw'] as const;
export type DetailTab = (typeof DETAIL_TABS)[number];

/** The tab of the step details that shows the `path` of a piece of evidence; null if no tab does. */
export function tabOfPath(path: string | null): DetailTab | null {
  if (path === null) return null;
  const entry = TAB_BY_PATH.find(
    ([start]) => path === start || path.startsWith(`${start}.`) || path.startsWith(`${start}[`),
  );
  return entry?.[1] ?? null;
}

const TAB_BY_PATH: readonly (readonly [string, DetailTab])[] = [
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

/** The tab that shows the quote: the tab of its path if it contains the quote, otherwise the first tab that does. */
export function tabOfQuote(span: Span, path: string | null, quote: string | null): DetailTab | null {
  const tabOfEvidence = tabOfPath(path);
  if (quote === null || quote === '') return tabOfEvidence;
  const containsQuote = (tab: DetailTab) => textsOfTab(span, tab).some((text) => text.includes(quote));
  if (tabOfEvidence !== null && containsQuote(tabOfEvidence)) return tabOfEvidence;
  return DETAIL_TABS.find(containsQuote) ?? tabOfEvidence;
}

/**
 * The passage of a step's texts that a quote refers to: the quote itself, or the text in its parentheses, because a call
 * is quoted as `search({"q": 1})`.
 */
export function passageOf(span: Span, quote: string | null): string | null {
  if (quote === null) return null;
  const inner = /^[^()]*\((.+)\)$/s.exec(quote)?.[1];
  const isInTexts = (passage: string) =>
    DETAIL_TABS.some((tab) => textsOfTab(span, tab).some((text) => text.includes(passage)));
  return inner !== undefined && !isInTexts(quote) && isInTexts(inner) ? inner : quote;
}

function textsOfTab({ step, status, attributes }: Span, tab: DetailTab): string[] {
  if (tab === 'attributes') return Object.values(attributes).filter((value) => typeof value === 'string');
  if (step === null) return [];
  if (tab === 'input') return [step.input];
  if (tab === 'output') return [step.output, step.error?.message ?? '', status.message];
  if (tab === 'messages') return [...step.input_messages, ...step.output_messages].map(({ content }) => content);
  return [];
}
