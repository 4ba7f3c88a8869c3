import { isJsonObject, type Json } from '../../core/json.ts';
import type { Trace } from '../../core/trace.ts';
import type { ToolUse } from '../_readings/calls/calls.ts';

/** Labels and keys that move on by one place: what a repetition of them shows is the next part. */
const MOVES_ON =
  /^(?:(?:button|link|btn|key|press|click|to|the|go|pagination|pager|a|li|span|text|class|id|css|aria label) ){0,3}(?:(?:next|previous|prev|following)(?: (?:page|month|week|day|year|item|result|slide|step|button|link)s?)?|(?:load|show|see|view) more(?: \p{L}{1,20})?|more|older|newer|forward|page ?(?:down|up)|arrow ?(?:down|up|left|right)|(?:scroll )?(?:down|up)|tab|weiter|nächste[srnm]?(?: \p{L}{1,20})?|vorwärts|mehr(?: (?:laden|anzeigen))?|suivante?s?|page suivante|voir plus|siguiente|página siguiente|ver más|cargar más|próxim[oa]|avanti|successiv[oa]|pagina successiva|volgende|meer|następna|dalej|следующая|далее|ещё)(?: (?:button|link|btn))?$|^(?:次へ|次のページ|もっと見る|下一[页頁个步]?|加载更多|更多|다음|더 ?보기|[>›»→▶⟩]{1,2})$/iu;
const MARKS = /[^\p{L}\s>›»→▶⟩]+/gu;
const MAX_LABEL = 60;

/**
 * Whether equal calls page through something: an argument is the label or key for the next part, or the agent names other
 * numbers before each call.
 */
export function pagesOn(trace: Trace, calls: readonly ToolUse[]): boolean {
  return labelsOf(calls[0]!.arguments).some(isMoveLabel) || namesOtherNumbers(trace, calls);
}

function isMoveLabel(label: string): boolean {
  if (label.length > MAX_LABEL) return false;
  const words = label
    .replace(/(\p{Ll})(?=\p{Lu})/gu, '$1 ')
    .replace(MARKS, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return MOVES_ON.test(words);
}

function labelsOf(value: Json): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(labelsOf);
  return isJsonObject(value) ? Object.values(value).flatMap(labelsOf) : [];
}

/** The numbers of the text before a call, without those of the call itself. */
function namesOtherNumbers({ steps }: Trace, calls: readonly ToolUse[]): boolean {
  const numbers = calls.map(({ step, agent, argumentsText }) => {
    const before = steps[step - 1];
    if (before === undefined || before.kind !== 'llm' || before.agent !== agent) return '';
    return (before.output.replaceAll(argumentsText, ' ').match(/\d{1,12}/g) ?? []).join(' ');
  });
  return numbers.every((one) => one !== '') && new Set(numbers).size === numbers.length;
}
