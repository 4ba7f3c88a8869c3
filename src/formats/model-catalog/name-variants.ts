/** A name to look up, with the provider to search; null derives the provider from the name. */
export interface NameVariant {
  model: string;
  provider: string | null;
}

/** Prefixes of gateways and clouds, with the price list's provider. */
const VENDORS = new Map([
  ['anthropic', 'anthropic'],
  ['openai', 'openai'],
  ['azure', 'azure'],
  ['azure_ai', 'azure'],
  ['google', 'google'],
  ['gemini', 'google'],
  ['vertex_ai', 'google'],
  ['vertex', 'google'],
  ['bedrock', 'aws'],
  ['aws', 'aws'],
  ['mistral', 'mistral'],
  ['mistralai', 'mistral'],
  ['cohere', 'cohere'],
  ['deepseek', 'deepseek'],
  ['deepseek-ai', 'deepseek'],
  ['xai', 'x-ai'],
  ['x-ai', 'x-ai'],
  ['groq', 'groq'],
  ['together_ai', 'together'],
  ['together', 'together'],
  ['fireworks_ai', 'fireworks'],
  ['fireworks', 'fireworks'],
  ['perplexity', 'perplexity'],
  ['moonshot', 'moonshotai'],
  ['moonshotai', 'moonshotai'],
  ['openrouter', 'openrouter'],
  ['cerebras', 'cerebras'],
]);

const REGIONS = new Set(['us', 'eu', 'apac', 'global', 'us-gov', 'jp', 'au']);

/**
 * Possible spellings of a name in the price list, the most likely first: as sent at the given provider, as sent at any
 * provider, then without the qualifiers of gateways and clouds (`openai/…`, `us.anthropic.…-v1:0`, `…@date`).
 */
export function modelNameVariants(sent: string, provider: string | null): NameVariant[] {
  const model = sent.trim();
  const spellings: NameVariant[] = [];
  const add = (name: string, at: string | null) => {
    if (name !== '' && !spellings.some((known) => known.model === name && known.provider === at)) {
      spellings.push({ model: name, provider: at });
    }
  };
  if (provider) add(model, provider);
  add(model, null);
  if (model.startsWith('ft:')) add(model, 'openai');
  const segments = model.split('/');
  for (let cut = 1; cut < segments.length; cut++) {
    const rest = segments.slice(cut).join('/');
    add(rest, VENDORS.get((segments[cut - 1] as string).toLowerCase()) ?? null);
  }
  const last = segments.at(-1) as string;
  add(last, null);
  addPlain(last, add);
  if (segments.length > 1) add(model.toLowerCase(), 'openrouter');
  return spellings;
}

function addPlain(name: string, add: (name: string, at: string | null) => void): void {
  const words = name.split('.');
  while (words.length > 1 && REGIONS.has(words[0] as string)) words.shift();
  const vendor = words.length > 1 ? VENDORS.get(words[0] as string) : undefined;
  if (vendor !== undefined) add(withoutVersion(words.slice(1).join('.')), vendor);
  const withoutQualifiers = withoutVersion(words.join('.'));
  add(withoutQualifiers, null);
  add(withoutQualifiers.replace(/-latest$/, ''), null);
  add(withoutQualifiers.replace(/-\d{4}-\d{2}-\d{2}$/, '').replace(/-\d{8}$/, ''), null);
}

/** `-v1:0` of Bedrock, `@20241022` of Vertex, `:free` of gateways. */
function withoutVersion(name: string): string {
  return name
    .replace(/@.*/, '')
    .replace(/:[a-z0-9]+$/i, '')
    .replace(/-v\d+$/, '');
}
