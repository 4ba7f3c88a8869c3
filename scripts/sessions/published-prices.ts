import type { Tokens } from './tokens.ts';

/** US dollars for a million tokens. `from`: the first day of the price, as YYYY-MM-DD in UTC. */
interface Price {
  from: string;
  input: number;
  cacheRead: number;
  cacheWrite5m: number;
  cacheWrite1h: number;
  output: number;
}

// Written down by hand and independent of the product's price catalogue. Checked on 2026-11-22 against
//   https://platform.claude.com/docs/en/about-claude/pricing (base input, 5m writes 1.25 x, 1h writes 2 x, hits .1 x, output)
//   https://developers.openai.com/api/docs/models/gpt-5.6-sol and gpt-5.6-terra, https://developers.openai.com/api/docs/changelog
//   (cached input .1 x, cache writes 1.25 x; Terra -20 % on 2026-07-30, Sol input -20 % and output -33 % on 2026-08-21).
// Prompts over the long-context limits cost more; `isLongPrompt` reports them, because no session here has one.
const PRICES: Record<string, Price[]> = {
  'claude-opus-4-5': [anthropic(5, 25)],
  'claude-opus-4-6': [anthropic(5, 25)],
  'claude-sonnet-4-5': [anthropic(3, 15)],
  'claude-haiku-4-5': [anthropic(1, 5)],
  'gpt-5.1-codex': [openai('2025-11-13', 1.25, 10)],
  'gpt-5.6-sol': [openai('2026-07-01', 5, 30), openai('2026-08-21', 4, 20)],
  'gpt-5.6-terra': [openai('2026-07-01', 2.5, 15), openai('2026-07-30', 2, 12)],
};

/** Free tiers: the provider lists these models at no charge. */
const FREE = /-free$|^<synthetic>$/;

const LONG_PROMPT_TOKENS: [RegExp, number][] = [
  [/^claude-sonnet-4-5/, 200_000],
  [/^gpt-5\.6/, 272_000],
];

/** Null: the table has no published price of the model. `day` decides between an old and a new price. */
export function costOf(model: string, tokens: Tokens, day: string): number | null {
  if (FREE.test(model)) return 0;
  const price = priceOf(model, day);
  if (price === null) return null;
  const micros =
    tokens.input * price.input +
    tokens.cacheRead * price.cacheRead +
    tokens.cacheWrite5m * price.cacheWrite5m +
    tokens.cacheWrite1h * price.cacheWrite1h +
    tokens.output * price.output;
  return micros / 1e6;
}

/** True when the standard price does not apply, so that the cost is a lower bound. */
export function isLongPrompt(model: string, tokens: Tokens): boolean {
  const prompt = tokens.input + tokens.cacheRead + tokens.cacheWrite5m + tokens.cacheWrite1h;
  return LONG_PROMPT_TOKENS.some(([pattern, limit]) => pattern.test(model) && prompt > limit);
}

function priceOf(model: string, day: string): Price | null {
  const name = model.replace(/-20\d{6}$/, '');
  const prices = PRICES[name];
  if (!prices) return null;
  return prices.findLast((one) => one.from <= day) ?? prices[0] ?? null;
}

function anthropic(input: number, output: number): Price {
  return {
    from: '2025-01-01',
    input,
    output,
    cacheRead: input * 0.1,
    cacheWrite5m: input * 1.25,
    cacheWrite1h: input * 2,
  };
}

function openai(from: string, input: number, output: number): Price {
  return { from, input, output, cacheRead: input * 0.1, cacheWrite5m: input * 1.25, cacheWrite1h: input * 1.25 };
}
