export default {
  id: 'misstep',
  register(api) {
    const hooks = [
      'session_start',
      'session_end',
      'llm_input',
      'llm_output',
      'model_call_ended',
      'before_tool_call',
      'after_tool_call',
      'subagent_spawned',
      'subagent_ended',
      'agent_end',
    ];
    for (const hook of hooks)
      api.on(hook, (event, ctx) => {
        const body = JSON.stringify({ hook, event, ctx, timestamp: new Date().toISOString() });
        fetch(process.env.MISSTEP_WEBHOOK, { method: 'POST', body }).catch(() => {});
      });
  },
};
