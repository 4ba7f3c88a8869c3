/** How one kind of program sends its traces. */
export interface Snippet {
  id: string;
  label: string;
  /** What the lines are for. */
  note: string;
  lines(server: string, key: string): string;
}

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
    lines: otlp,
  },
  {
    id: 'langgraph',
    label: 'LangGraph, LangChain',
    note: 'The LangSmith SDK that LangChain contains sends its runs here.',
    lines: (server, key) =>
      ['export LANGSMITH_TRACING=true', `export LANGSMITH_ENDPOINT=${server}`, `export LANGSMITH_API_KEY=${key}`].join(
        '\n',
      ),
  },
  {
    id: 'langfuse',
    label: 'Langfuse SDK',
    note: 'The public key can be any text; the secret key is the key.',
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
    lines: (server, key) =>
      [
        'export N8N_OTEL_ENABLED=true',
        `export N8N_OTEL_EXPORTER_OTLP_ENDPOINT=${server}`,
        `export N8N_OTEL_EXPORTER_OTLP_HEADERS=x-svc-api-key=${key}`,
      ].join('\n'),
  },
  {
    id: 'file',
    label: 'A file',
    note: 'Imports traces that were written to a file, on the machine of the server.',
    lines: () => 'misstep import traces.jsonl',
  },
];

/** @param asked what the address says; anything unknown shows the first */
export function snippetOf(asked: string | undefined): Snippet {
  return SNIPPETS.find(({ id }) => id === asked) ?? SNIPPETS[0]!;
}
