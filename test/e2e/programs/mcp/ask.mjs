// Shared code of both clients: lists everything, calls some tools, and prints the results as JSON.
export async function ask(client, transport) {
  await client.connect(transport);
  const call = async (name, args) => {
    const { isError = false, content, structuredContent } = await client.callTool({ name, arguments: args });
    return { isError, text: content.map(({ text }) => text).join('\n'), structured: structuredContent };
  };
  const { tools } = await client.listTools();
  const { prompts } = await client.listPrompts();
  const trace_id = process.env.TRACE_ID;
  const calls = {
    search_traces: await call('search_traces', { limit: 5 }),
    get_trace: await call('get_trace', { trace_id }),
    get_step: await call('get_step', { trace_id, step: 1 }),
    list_findings: await call('list_findings', {}),
    check_text: await call('check_text', { text: 'How many sets of brake pads are in stock?' }),
    unknown_trace: await call('get_trace', { trace_id: '0af7651916cd43dd8448eb211c80319c' }),
  };
  const answer = {
    server: client.getServerVersion(),
    tools: tools.map(({ name, annotations, outputSchema }) => ({
      name,
      readOnly: annotations?.readOnlyHint ?? false,
      hasOutput: outputSchema !== undefined,
    })),
    prompts: prompts.map(({ name }) => name),
    calls,
  };
  await client.close();
  process.stdout.write(JSON.stringify(answer));
}

/** `misstep mcp` as a client starts it. */
export const server = {
  command: process.env.MISSTEP,
  args: ['mcp'],
  env: {
    HOME: process.env.HOME,
    PATH: '/usr/bin:/bin',
    MISSTEP_SERVER: process.env.MISSTEP_URL,
    MISSTEP_API_KEY: process.env.MISSTEP_API_KEY,
  },
};
