import type { Attributes } from '../../core/span.ts';
import type { ReportedLoop, StepKind } from '../../core/trace.ts';
import { MISSTEP } from '../misstep/attributes.ts';
import { countAt, entryOf, textAt } from './attribute-values.ts';
import type { FactsReader, StepFacts } from './step-facts.ts';

/** OpenClaw's diagnostics-otel plugin. It sends no content and no session ids by default. */
export const readOpenClaw: FactsReader = ({ name, attributes }) => {
  if (isUnnamedSession(name, attributes)) return { agent: name };
  if (!name.startsWith('openclaw.')) return null;
  const facts: Partial<StepFacts> = {
    framework: 'openclaw',
    kind: entryOf(KINDS, name) ?? 'other',
    agent: textAt(attributes, 'openclaw.agent', 'openclaw.agentId', 'openclaw.agent.id'),
    sessionId: textAt(attributes, 'openclaw.sessionKey', 'openclaw.sessionId'),
    model: textAt(attributes, 'openclaw.model'),
    provider: textAt(attributes, 'openclaw.provider'),
    tokens: readTokens(attributes),
  };
  const tool = textAt(attributes, 'openclaw.toolName', 'gen_ai.tool.name');
  if (tool !== undefined && name === 'openclaw.tool.loop') facts.reportedLoop = readLoop(attributes, tool);
  if (tool !== undefined && facts.kind === 'tool') facts.tool = { id: null, name: tool, arguments: null, result: null };
  return facts;
};

/** The root of a session whose agent neither a transcript nor a hook names. */
function isUnnamedSession(name: string, attributes: Attributes): boolean {
  return (
    name === 'openclaw' && attributes[MISSTEP.sessionId] !== undefined && attributes['gen_ai.agent.name'] === undefined
  );
}

const KINDS: Record<string, StepKind> = {
  'openclaw.run': 'agent',
  'openclaw.harness.run': 'chain',
  'openclaw.model.call': 'llm',
  'openclaw.tool.execution': 'tool',
  'openclaw.exec': 'tool',
  'openclaw.message.processed': 'message',
  'openclaw.message.delivery': 'message',
};

/** Result of OpenClaw's own loop monitor. */
function readLoop(attributes: Attributes, tool: string): ReportedLoop {
  return {
    tool,
    pairedTool: textAt(attributes, 'openclaw.loop.paired_tool') ?? null,
    times: countAt(attributes, 'openclaw.loop.count') ?? null,
    rule: textAt(attributes, 'openclaw.loop.detector') ?? null,
    isStopped: attributes['openclaw.loop.level'] === 'critical' || attributes['openclaw.loop.action'] === 'block',
  };
}

/** `input` excludes cached tokens here; our input includes them. */
function readTokens(attributes: Attributes): StepFacts['tokens'] | undefined {
  const uncached = countAt(attributes, 'openclaw.tokens.input');
  const cacheRead = countAt(attributes, 'openclaw.tokens.cache_read');
  const cacheWrite = countAt(attributes, 'openclaw.tokens.cache_write');
  const output = countAt(attributes, 'openclaw.tokens.output');
  if (uncached === undefined && output === undefined) return undefined;
  return {
    input: (uncached ?? 0) + (cacheRead ?? 0) + (cacheWrite ?? 0),
    output,
    total: countAt(attributes, 'openclaw.tokens.total'),
    cacheRead,
    cacheWrite,
  };
}
