/** What the name of a model reveals about its capability: two models of one family and size are equivalent. */
interface ModelFamily {
  line: string;
  /** Generation and size: `4o mini`, `3.5 sonnet`, `pro`. */
  grade: string;
}

/** Model lines with the words that distinguish their sizes. Names of other lines are not compared. */
const MODEL_LINES: readonly [RegExp, string][] = [
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

/** Null for a name without a known family: a deployment name, an alias, an unknown line. */
function modelFamily(name: string): ModelFamily | null {
  const plain = name.toLowerCase().trim().replace('gpt-35', 'gpt-3.5');
  const found = MODEL_LINES.map(([pattern, line]) => ({ line, match: pattern.exec(plain) })).find(
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
 * Whether the answer came from another model than the requested one. The same family with a date, a version, `-latest` or a
 * provider prefix is the same model; so is a name without a size compared with one that has it.
 */
export function isOtherModel(requested: string, answered: string): boolean {
  const [one, other] = [modelFamily(requested), modelFamily(answered)];
  if (one === null || other === null) return false;
  if (one.line !== other.line) return true;
  return one.grade !== '' && other.grade !== '' && one.grade !== other.grade;
}
