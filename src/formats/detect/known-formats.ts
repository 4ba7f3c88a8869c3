import type { JsonFormatName } from './json-formats.ts';

type Family = 'telemetry' | 'sessions' | 'runs' | 'conversations' | 'records';

/** Display title of each format; formats of one product share a title. */
const KNOWN: Readonly<Record<Exclude<FormatName, 'mixed'>, readonly [family: Family, title: string]>> = {
  'otlp-json': ['telemetry', 'JSON'],
  'otlp-protobuf': ['telemetry', 'protobuf'],
  'claude-transcript': ['sessions', 'Claude Code'],
  'codex-rollout': ['sessions', 'Codex'],
  'copilot-events': ['sessions', 'Copilot CLI'],
  'gemini-chat': ['sessions', 'Gemini CLI'],
  'qwen-transcript': ['sessions', 'Qwen Code'],
  'opencode-export': ['sessions', 'OpenCode'],
  'cline-session': ['sessions', 'Cline'],
  'pi-session': ['sessions', 'Pi'],
  'swe-agent': ['sessions', 'SWE-agent'],
  openclaw: ['sessions', 'OpenClaw'],
  langfuse: ['runs', 'Langfuse'],
  langsmith: ['runs', 'LangSmith'],
  phoenix: ['runs', 'Phoenix'],
  'openai-agents': ['runs', 'OpenAI Agents'],
  'langgraph-run': ['runs', 'LangGraph'],
  'langgraph-history': ['runs', 'LangGraph'],
  n8n: ['runs', 'n8n'],
  dify: ['runs', 'Dify'],
  trail: ['runs', 'TRAIL'],
  'chat-completions-a': ['conversations', 'OpenAI'],
  'chat-completions-b': ['conversations', 'Anthropic'],
  'taxonomy-data': ['conversations', 'MAST'],
  generic: ['conversations', 'turns'],
  hooks: ['records', 'hook calls'],
  records: ['records', 'evaluation records'],
  'plain-spans': ['records', 'plain spans'],
  'misstep-spans': ['records', "Misstep's own exports"],
  'misstep-export': ['records', "Misstep's own exports"],
};

const FAMILIES: Readonly<Record<Family, (titles: string) => string>> = {
  telemetry: (titles) => `OTLP (${titles})`,
  sessions: (titles) => `sessions of ${titles}`,
  runs: (titles) => `traces of ${titles}`,
  conversations: (titles) => `conversations (${titles})`,
  records: (titles) => titles,
};

/** Titles as they occur in the list of known formats and in docs/import-export.md. */
export const FORMAT_TITLES: readonly string[] = [...new Set(Object.values(KNOWN).map(([, title]) => title))];

/** Start of the list, so that repeated lists in many rejections can be omitted. */
export const KNOWN_FORMATS_PREFIX = 'Known formats: ';

/** The supported formats in one short sentence; every rejection of an unknown format ends with it. */
export function knownFormats(): string {
  const families = Object.entries(FAMILIES).map(([family, phrase]) => {
    const titles = Object.values(KNOWN).flatMap(([of, title]) => (of === family ? [title] : []));
    return phrase([...new Set(titles)].join(', '));
  });
  return `${KNOWN_FORMATS_PREFIX}${families.join('; ')}. Each also as JSON lines, in an array, and under gzip.`;
}

export type FormatName = JsonFormatName | 'otlp-protobuf' | 'mixed';
