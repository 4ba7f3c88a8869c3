// Polling: a pottery's agent starts a kiln and looks at it until the firing is over.
import { Agent } from '@openai/agents';
import { z } from 'zod';

export default {
  pattern: 'polling',
  healthy: [
    { kiln: 2, looks: 4, top: 1060 },
    { kiln: 1, looks: 7, top: 1240 },
    { kiln: 3, looks: 3, top: 780 },
    { kiln: 2, looks: 9, top: 1280 },
    { kiln: 4, looks: 5, top: 1150, hold: true },
    { kiln: 1, looks: 6, top: 960, hold: true },
    { kiln: 3, looks: 2, top: 600 },
  ],
  failing: [
    {
      kiln: 2,
      looks: 99,
      top: 1200,
      dead: true,
      fault: 'the kiln stands still with an error and the agent looks again until the limit of turns',
      agent: 'kiln-keeper',
      step: 'kiln_status',
      expect: ['loop', 'tool_failure'],
    },
    {
      kiln: 4,
      looks: 8,
      top: 1220,
      hasty: true,
      fault: 'reports a finished firing while the kiln is still at a third of the temperature',
      agent: 'kiln-keeper',
      step: 'answer',
      expect: ['grounding', 'hallucination', 'completion', 'quality_gate', 'reasoning_action_mismatch'],
    },
  ],
  model({ calls, result }, { kiln, top, hasty }) {
    if (calls.length === 0) return { call: ['start_firing', { kiln, top_celsius: top }] };
    if (hasty && calls.length === 3)
      return `The firing in kiln ${kiln} has reached ${top} °C and is finished; you can unload tomorrow.`;
    if (!/finished/.test(result))
      return { call: [calls.length > 1 ? 'kiln_status' : 'kiln_status', { kiln, wait_minutes: 30 }] };
    const [, peak] = /peak (\d+)/.exec(result);
    return `Kiln ${kiln} is through: peak ${peak} °C, and it is cooling with the damper shut. Do not open it before it falls below 120.`;
  },
  async run({ run, tool, withTrace }, { kiln, looks, top, hold, dead }) {
    let seen = 0;
    const start = tool(
      'start_firing',
      'Starts a kiln',
      { kiln: z.number(), top_celsius: z.number() },
      () => `kiln ${kiln} on, ramp 110 °C/h`,
    );
    const status = tool(
      'kiln_status',
      'Waits, then reads the kiln',
      { kiln: z.number(), wait_minutes: z.number() },
      () => {
        seen += 1;
        if (dead) return 'ERR 07 thermocouple open, heating off, 24 °C';
        if (seen >= looks) return `finished, peak ${top + 4} °C, now ${top - 35} °C`;
        if (hold && seen === looks - 1) return `soaking at ${top} °C, 20 min left`;
        return `heating, ${Math.round(20 + ((top - 20) * seen) / looks)} °C`;
      },
    );
    const keeper = new Agent({
      name: 'kiln-keeper',
      instructions: 'You look after kilns. Start the firing, watch it, report when it is over.',
      model: 'gpt-4o-mini',
      tools: [start, status],
    });
    await withTrace(`Firing in kiln ${kiln}`, () =>
      run(keeper, `Please fire kiln ${kiln} to ${top} °C and tell me when it is done.`, { maxTurns: 13 }),
    );
  },
};
