import type { FixChange } from '../../core/detection.ts';
import type { Trace } from '../../core/trace.ts';
import type { Failure } from './failure.ts';

/** Number of retries of a call, and the errors that cause one. */
export interface RetryRule {
  attempts: number;
  timeoutSeconds: number;
  on: string;
}

/** The rule in the configuration of the framework or client that makes the call; in words if neither is known. */
export function retryChange(trace: Trace, failure: Failure, rule: RetryRule): FixChange {
  const code = failure.what === 'model' ? clientCode(trace, failure, rule) : callCode(trace, failure, rule);
  return { target: failure.name, format: 'text', before: code?.before ?? null, after: code?.after ?? ruleText(rule) };
}

interface Code {
  before: string | null;
  after: string;
}

function clientCode(trace: Trace, { step }: Failure, { attempts, timeoutSeconds }: RetryRule): Code | null {
  const retries = attempts - 1;
  if (trace.framework.startsWith('vercel'))
    return { before: null, after: `generateText({ …, maxRetries: ${retries}, timeout: ${timeoutSeconds}_000 })` };
  const client = CLIENTS[trace.steps[step]!.provider ?? ''];
  if (client === undefined) return null;
  if (trace.language === 'javascript')
    return {
      before: `const client = new ${client}();`,
      after: `const client = new ${client}({ maxRetries: ${retries}, timeout: ${timeoutSeconds}_000 });`,
    };
  return {
    before: `client = ${client}()`,
    after: `client = ${client}(max_retries=${retries}, timeout=${timeoutSeconds})`,
  };
}

const CLIENTS: Readonly<Record<string, string>> = { openai: 'OpenAI', anthropic: 'Anthropic' };

function callCode(trace: Trace, { name, what }: Failure, rule: RetryRule): Code | null {
  if (!/^[A-Za-z_]\w*$/.test(name)) return null;
  const isJavaScript = trace.language === 'javascript';
  if (trace.framework === 'langgraph' && what === 'step' && isJavaScript)
    return {
      before: `.addNode("${name}", ${name})`,
      after: `.addNode("${name}", ${name}, { retryPolicy: { maxAttempts: ${rule.attempts}, backoffFactor: 2, jitter: true } })`,
    };
  if (trace.framework === 'langgraph' && what === 'step')
    return {
      before: `builder.add_node("${name}", ${name})`,
      after: `builder.add_node("${name}", ${name}, retry_policy=RetryPolicy(max_attempts=${rule.attempts}, backoff_factor=2.0, jitter=True))`,
    };
  if (trace.framework.startsWith('vercel') || trace.framework === 'mastra')
    return {
      before: `execute: (input) => ${name}(input)`,
      after: `execute: (input) => pRetry(() => ${name}(input), { retries: ${rule.attempts - 1} })`,
    };
  if (!PYTHON.has(trace.framework)) return null;
  if (isJavaScript)
    return {
      before: `tool((input) => ${name}(input), { name: "${name}", … })`,
      after: `tool((input) => pRetry(() => ${name}(input), { retries: ${rule.attempts - 1} }), { name: "${name}", … })  // p-retry; ${rule.on}`,
    };
  return {
    before: `def ${name}(…):`,
    after: `@retry(stop=stop_after_attempt(${rule.attempts}), wait=wait_random_exponential(max=30))  # tenacity; ${rule.on}\ndef ${name}(…):`,
  };
}

/** Frameworks whose code is Python, unless the trace comes from their JavaScript version. */
const PYTHON = new Set([
  'langgraph',
  'langchain',
  'crewai',
  'autogen',
  'ag2',
  'openai-agents',
  'smolagents',
  'llamaindex',
]);

function ruleText({ attempts, timeoutSeconds, on }: RetryRule): string {
  return `at most ${attempts} attempts, pause 1 s × 2^n with jitter, timeout ${timeoutSeconds} s, ${on}; every other error is final`;
}
