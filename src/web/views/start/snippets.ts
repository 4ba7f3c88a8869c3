/** Instructions that make one kind of program send its traces. */
export interface Snippet {
  id: string;
  label: string;
  /** Purpose of the lines. */
  note: string;
  /** Instruction for the lines. */
  action: string;
  lines(server: string, key: string): string;
}

const SET_VARIABLES = 'Set these variables where it runs';
const ADD_CODE = 'Add this to the program';

const otlp = (server: string, key: string) =>
  [
    `export OTEL_EXPORTER_OTLP_ENDPOINT=${server}`,
    `export OTEL_EXPORTER_OTLP_HEADERS="x-svc-api-key=${key}"`,
    'export OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf',
  ].join('\n');

export const SNIPPETS: readonly Snippet[] = [
  {
    id: 'otlp',
    label: 'OpenTelemetry',
    note: 'Any OTLP/HTTP exporter. These variables configure the SDKs of every language.',
    action: SET_VARIABLES,
    lines: otlp,
  },
  {
    id: 'langgraph',
    label: 'LangGraph, LangChain',
    note: 'The LangSmith SDK that LangChain contains sends its runs here.',
    action: SET_VARIABLES,
    lines: (server, key) =>
      ['export LANGSMITH_TRACING=true', `export LANGSMITH_ENDPOINT=${server}`, `export LANGSMITH_API_KEY=${key}`].join(
        '\n',
      ),
  },
  {
    id: 'openai-agents',
    label: 'OpenAI Agents',
    note: 'The exporter of the SDK (JavaScript) sends its traces here instead of to OpenAI.',
    action: ADD_CODE,
    lines: (server, key) =>
      [
        "import { BatchTraceProcessor, OpenAITracingExporter, setTraceProcessors } from '@openai/agents';",
        '',
        'setTraceProcessors([',
        '  new BatchTraceProcessor(',
        '    new OpenAITracingExporter({',
        `      endpoint: '${server}/v1/traces/ingest',`,
        `      apiKey: '${key}',`,
        '    }),',
        '  ),',
        ']);',
      ].join('\n'),
  },
  {
    id: 'vercel-ai',
    label: 'Vercel AI SDK',
    note: 'AI SDK 7 with @ai-sdk/otel and the OpenTelemetry SDK for Node. Pass telemetry: { isEnabled: true } to each call.',
    action: 'Set these variables, and add the code to the program',
    lines: (server, key) =>
      [
        otlp(server, key),
        '',
        "import { NodeSDK } from '@opentelemetry/sdk-node';",
        "import { OpenTelemetry } from '@ai-sdk/otel';",
        "import { registerTelemetry } from 'ai';",
        '',
        'new NodeSDK().start();',
        'registerTelemetry(new OpenTelemetry());',
      ].join('\n'),
  },
  {
    id: 'mastra',
    label: 'Mastra',
    note: 'The exporter of @mastra/otel-exporter sends the spans.',
    action: ADD_CODE,
    lines: (server, key) =>
      [
        'new Observability({',
        '  configs: {',
        '    otel: {',
        "      serviceName: 'my-agents',",
        '      exporters: [',
        '        new OtelExporter({',
        '          provider: {',
        '            custom: {',
        `              endpoint: '${server}/v1/traces',`,
        "              protocol: 'http/protobuf',",
        `              headers: { Authorization: 'Bearer ${key}' },`,
        '            },',
        '          },',
        '        }),',
        '      ],',
        '    },',
        '  },',
        '});',
      ].join('\n'),
  },
  {
    id: 'coding-agents',
    label: 'Claude Code, Codex, …',
    note: 'Hooks send each tool call of Claude Code, Codex, Gemini CLI, Qwen Code, Copilot CLI and Cursor.',
    action: 'Run this where the agent works, and set the variable for the agent',
    lines: (server, key) => [`misstep hooks install --url ${server}`, `export MISSTEP_API_KEY=${key}`].join('\n'),
  },
  {
    id: 'langfuse',
    label: 'Langfuse SDK',
    note: 'The public key can be any text; the secret key is the key.',
    action: SET_VARIABLES,
    lines: (server, key) =>
      [
        `export LANGFUSE_BASE_URL=${server}`,
        `export LANGFUSE_SECRET_KEY=${key}`,
        'export LANGFUSE_PUBLIC_KEY=pk-lf-any',
      ].join('\n'),
  },
  {
    id: 'n8n',
    label: 'n8n',
    note: 'n8n sends its executions itself.',
    action: SET_VARIABLES,
    lines: (server, key) =>
      [
        'export N8N_OTEL_ENABLED=true',
        `export N8N_OTEL_EXPORTER_OTLP_ENDPOINT=${server}`,
        `export N8N_OTEL_EXPORTER_OTLP_HEADERS=x-svc-api-key=${key}`,
      ].join('\n'),
  },
  {
    id: 'dify',
    label: 'Dify',
    note: 'In Dify, open the app, then Monitoring, Tracing app performance, Phoenix.',
    action: 'Enter these values',
    lines: (server, key) => [`Endpoint: ${server}`, `API key:  ${key}`, 'Project:  a name for the app'].join('\n'),
  },
  {
    id: 'file',
    label: 'A file',
    note: 'Imports traces that were written to a file, on the machine of the server.',
    action: 'Run this command',
    lines: () => 'misstep import traces.jsonl',
  },
];

/** @param requestedId id from the address; an unknown one selects the first snippet */
export function snippetOf(requestedId: string | undefined): Snippet {
  return SNIPPETS.find(({ id }) => id === requestedId) ?? SNIPPETS[0]!;
}
