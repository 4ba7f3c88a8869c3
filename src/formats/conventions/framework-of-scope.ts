import type { Span } from '../../core/span.ts';
import { entryOf } from './attribute-values.ts';

/** Parts of instrumentation scopes that identify the framework; the first match is used. */
const SCOPE_PARTS: readonly (readonly [part: string, framework: string])[] = [
  ['smolagents', 'smolagents'],
  ['openai-agents', 'openai-agents'],
  ['openai_agents', 'openai-agents'],
  ['langgraph', 'langgraph'],
  ['crewai', 'crewai'],
  ['autogen', 'autogen'],
  ['ag2', 'autogen'],
  ['pydantic', 'pydantic-ai'],
  ['llama_index', 'llamaindex'],
  ['llama-index', 'llamaindex'],
  ['llamaindex', 'llamaindex'],
  ['haystack', 'haystack'],
  ['openclaw', 'openclaw'],
  ['claude_code', 'claude-code'],
  ['claude-code', 'claude-code'],
  ['n8n', 'n8n'],
  ['dify', 'dify'],
  ['mastra', 'mastra'],
  ['google_adk', 'google-adk'],
  ['strands', 'strands'],
  ['agno', 'agno'],
  ['koog', 'koog'],
  ['semantic_kernel', 'semantic-kernel'],
  ['semantickernel', 'semantic-kernel'],
  ['microsoft.extensions.ai', 'microsoft-extensions-ai'],
  ['langsmith', 'langchain'],
  ['langchain', 'langchain'],
  ['traceloop', 'traceloop'],
  ['openai', 'openai'],
  ['anthropic', 'anthropic'],
  ['vertexai', 'vertexai'],
];

/** Vercel's scopes are whole words: `ai`, and since 7 `gen_ai`. */
const WHOLE_SCOPES: Record<string, string> = { ai: 'vercel-ai', gen_ai: 'vercel-ai' };

export function frameworkOfScope(span: Span): string | null {
  const scope = span.scope.name.toLowerCase();
  if (scope === '') return null;
  return entryOf(WHOLE_SCOPES, scope) ?? SCOPE_PARTS.find(([part]) => scope.includes(part))?.[1] ?? null;
}

/** Scopes that run agents are more specific than those that call a model or record spans. */
const WEAK_FIRST = ['openai', 'anthropic', 'vertexai', 'traceloop', 'langchain'];

/** How specific a name is for the run, for choosing among several in one trace. */
export function frameworkWeight(framework: string): number {
  const weak = WEAK_FIRST.indexOf(framework);
  return weak < 0 ? WEAK_FIRST.length : weak;
}
