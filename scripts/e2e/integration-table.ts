import { PROGRAMS, type ProgramName, packageOf } from './programs.ts';
import { type Results, tallyOf } from './report.ts';

/** The name of each program, and the packages whose versions are listed. */
const PROGRAM_ROWS: Record<ProgramName, { title: string; packages: readonly string[] }> = {
  opentelemetry: { title: 'OpenTelemetry SDK for JavaScript', packages: ['@opentelemetry/sdk-trace'] },
  langchain: {
    title: 'LangChain and LangGraph with OpenInference',
    packages: ['langchain', '@langchain/langgraph', '@arizeai/openinference-instrumentation-langchain'],
  },
  traceloop: { title: 'Traceloop', packages: ['@traceloop/node-server-sdk'] },
  'vercel-ai': { title: 'Vercel AI SDK', packages: ['ai', '@ai-sdk/otel', 'ai6'] },
  'openai-agents': { title: 'OpenAI Agents SDK', packages: ['@openai/agents'] },
  mastra: { title: 'Mastra', packages: ['@mastra/core', '@mastra/observability', '@mastra/otel-exporter'] },
  langfuse: { title: 'Langfuse SDKs', packages: ['langfuse', '@langfuse/otel'] },
  langsmith: { title: 'LangSmith', packages: ['langsmith', 'langchain'] },
  phoenix: {
    title: 'Phoenix with OpenInference',
    packages: ['@arizeai/phoenix-otel', '@arizeai/openinference-instrumentation-openai'],
  },
  mcp: { title: 'MCP clients', packages: ['@modelcontextprotocol/client', '@modelcontextprotocol/sdk'] },
  'langgraph-server': { title: 'LangGraph server', packages: ['@langchain/langgraph-cli', '@langchain/langgraph'] },
  'coding-agents': {
    title: 'Coding agents',
    packages: [
      '@anthropic-ai/claude-code',
      '@openai/codex',
      '@google/gemini-cli',
      '@qwen-code/qwen-code',
      '@github/copilot',
      'opencode-ai',
      '@mariozechner/pi-coding-agent',
      'cline',
    ],
  },
  openclaw: { title: 'OpenClaw', packages: ['openclaw'] },
  n8n: { title: 'n8n', packages: ['n8n'] },
};

export const TABLE_BEGIN = '<!-- real programs: node scripts/generate-integration-table.ts -->';
export const TABLE_END = '<!-- end of real programs -->';

/** The first two cells of a program's row: its name, and the versions that `package.json` pins. */
export function namedVersions(name: ProgramName): string {
  const { title, packages } = PROGRAM_ROWS[name];
  const { dependencies } = packageOf(name);
  const versions = packages.map((one) => {
    const version = dependencies[one];
    if (version === undefined) throw new Error(`test/e2e/programs/${name}/package.json does not name ${one}`);
    return `\`${version.startsWith('npm:') ? version.slice(4) : `${one}@${version}`}\``;
  });
  return `| ${title} (\`${name}\`) | ${versions.join(', ')} |`;
}

/** A Markdown table of the newest result of each program. */
export function integrationTable(results: Results): string {
  const rows = PROGRAMS.map((name) => {
    const result = results[name];
    if (result === undefined) return `${namedVersions(name)} not run | | |`;
    const titles = [...new Set(result.checks.map(({ title }) => title.replaceAll('|', '\\|')))];
    const { passed, failed, skipped } = tallyOf(result.checks);
    const counts = [`${passed} passed`, failed && `${failed} failed`, skipped && `${skipped} skipped`];
    return `${namedVersions(name)} ${titles.join('; ')} | ${counts.filter(Boolean).join(', ')} | ${result.date} |`;
  });
  return ['| program | versions | checks | result | date |', '|---|---|---|---|---|', ...rows].join('\n');
}
