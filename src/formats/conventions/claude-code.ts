import type { StepKind } from '../../core/trace.ts';
import { countAt, entryOf, jsonAt, textAt } from './attribute-values.ts';
import type { FactsReader, StepFacts } from './step-facts.ts';

/** Claude Code's beta traces (`claude_code.*` spans). Its `input_tokens` exclude cached tokens; our input includes them. */
export const readClaudeCode: FactsReader = ({ name, attributes }) => {
  if (!name.startsWith('claude_code.')) return null;
  const facts: Partial<StepFacts> = {
    framework: 'claude-code',
    kind: entryOf(KINDS, name) ?? 'other',
    sessionId: textAt(attributes, 'session.id'),
    model: textAt(attributes, 'model'),
    task: textAt(attributes, 'user_prompt'),
    input: textAt(attributes, 'user_prompt'),
  };
  const tool = textAt(attributes, 'tool_name');
  if (tool !== undefined) {
    const given = jsonAt(attributes, 'tool_input') ?? jsonAt(attributes, 'tool_parameters') ?? null;
    facts.tool = { id: textAt(attributes, 'tool_use_id') ?? null, name: tool, arguments: given, result: null };
  }
  const cacheRead = countAt(attributes, 'cache_read_tokens') ?? 0;
  const cacheWrite = countAt(attributes, 'cache_creation_tokens') ?? 0;
  const uncached = countAt(attributes, 'input_tokens');
  if (uncached !== undefined) {
    facts.tokens = {
      input: uncached + cacheRead + cacheWrite,
      output: countAt(attributes, 'output_tokens'),
      cacheRead,
      cacheWrite,
    };
    facts.provider = 'anthropic';
  }
  return facts;
};

const KINDS: Record<string, StepKind> = {
  'claude_code.interaction': 'agent',
  'claude_code.llm_request': 'llm',
  'claude_code.tool': 'tool',
};
