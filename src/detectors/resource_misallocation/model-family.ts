/** What a model's name says of what it can do: two calls of one family and size are as good as each other. */
interface ModelFamily {
  line: string;
  /** Generation and size: `4o mini`, `3.5 sonnet`, `pro`. */
  grade: string;
}

/** Lines of models with the words that tell their sizes apart; a name of any other line is not judged. */
const LINES: readonly [RegExp, string][] = [
  [/(?:^|[-_/.])gpt[-_]?(\d{1,2}(?:\.\d)?o?)/, 'gpt'],
  [/(?:^|[-_/.])gpt[-_]?(oss)/, 'gpt'],
  [/(?:^|[-_/.])o([134])(?=-|$)/, 'openai-o'],
  [/(?:^|[-_/.])claude/, 'claude'],
  [/(?:^|[-_/.])gemini/, 'gemini'],
  [/(?:^|[-_/.])gemma/, 'gemma'],
  [/(?:^|[-_/.])llama/, 'llama'],
  [/(?:^|[-_/.])(?:mistral|mixtral|ministral|codestral|magistral)/, 'mistral'],
  [/(?:^|[-_/.])deepseek/, 'deepseek'],
  [/(?:^|[-_/.])(?:qwen|qwq)/, 'qwen'],
  [/(?:^|[-_/.])grok/, 'grok'],
  [/(?:^|[-_/.])command-/, 'command'],
  [/(?:^|[-_/.])nova-/, 'nova'],
];

const SIZES = new Set(
  'mini nano small medium large tiny lite flash pro ultra opus sonnet haiku instant micro premier coder reasoner plus max'.split(
    ' ',
  ),
);

/** Null for a name that tells no family: a deployment's own name, an alias, an unknown line. */
function modelFamily(name: string): ModelFamily | null {
  const plain = name.toLowerCase().trim().replace('gpt-35', 'gpt-3.5');
  const found = LINES.map(([pattern, line]) => ({ line, match: pattern.exec(plain) })).find(
    ({ match }) => match !== null,
  );
  if (found === undefined) return null;
  const words = plain.slice(found.match!.index).split(/[^a-z0-9.]+/);
  const sizes = words.filter((word) => SIZES.has(word));
  const parameters = words.find((word) => /^\d{1,3}(?:\.\d)?b$/.test(word));
  const grade = [found.match![1] ?? '', ...sizes, parameters ?? ''].filter((part) => part !== '');
  return { line: found.line, grade: grade.join(' ') };
}

/**
 * Whether the answer came from another model than was asked for. A date, a version, `-latest` or the provider's prefix behind the
 * same family is the same model; so is a name that says nothing of its size beside one that does.
 */
export function isOtherModel(asked: string, answered: string): boolean {
  const [one, other] = [modelFamily(asked), modelFamily(answered)];
  if (one === null || other === null) return false;
  if (one.line !== other.line) return true;
  return one.grade !== '' && other.grade !== '' && one.grade !== other.grade;
}
