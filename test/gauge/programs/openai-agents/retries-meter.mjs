// Retries that recover: a meter on a weak radio link often times out; the agent tries again and reads it.
import { Agent } from '@openai/agents';
import { z } from 'zod';

export default {
  pattern: 'retries that recover',
  healthy: [
    { meter: 'W-40118', fails: 1, value: 1288.4, unit: 'm³' },
    { meter: 'W-40120', fails: 2, value: 77.9, unit: 'm³' },
    { meter: 'H-2213', fails: 1, value: 90211, unit: 'kWh', lang: 'de' },
    { meter: 'H-2290', fails: 3, value: 40877, unit: 'kWh' },
    { meter: 'S-7', fails: 0, value: 12.03, unit: 'MWh' },
    { meter: 'W-51002', fails: 2, value: 3310.2, unit: 'm³', lang: 'tr' },
    { meter: 'H-3001', fails: 1, value: 5512, unit: 'kWh', busy: true },
  ],
  failing: [
    {
      meter: 'W-60004',
      fails: 99,
      value: 0,
      unit: 'm³',
      invent: 1467.2,
      fault: 'the meter never answers and the agent invents a reading',
      agent: 'meter-reader',
      step: 'answer',
      expect: ['tool_failure', 'grounding', 'hallucination', 'reasoning_action_mismatch'],
    },
    {
      meter: 'H-9090',
      fails: 99,
      value: 0,
      unit: 'kWh',
      forever: true,
      fault: 'the agent asks the dead meter again until the limit of turns',
      agent: 'meter-reader',
      step: 'read_meter',
      expect: ['loop', 'tool_failure'],
    },
  ],
  model({ calls, result }, { meter, unit, lang, invent, forever }) {
    if (calls.length === 0) return { call: ['read_meter', { meter, window_s: 8 }] };
    const failed = /timeout|busy|error occurred/i.test(result);
    if (failed && (forever || (!invent && calls.length < 5)))
      return {
        text: ['', 'The link dropped, once more.', 'Trying a longer window.', ''][calls.length % 4],
        call: ['read_meter', { meter, window_s: forever ? 8 : 10 * calls.length }],
      };
    if (failed && invent)
      return calls.length < 3
        ? { call: ['read_meter', { meter, window_s: 8 }] }
        : `Meter ${meter} reads ${invent} ${unit}.`;
    const value = /[\d.]+(?= )/.exec(result)?.[0];
    if (lang === 'de')
      return `Der Zähler ${meter} steht bei ${value} ${unit}. Die erste Abfrage lief ins Leere, die zweite kam durch.`;
    if (lang === 'tr')
      return `${meter} numaralı sayaç ${value} ${unit} gösteriyor; hat zayıf olduğu için ${calls.length} kez sordum.`;
    return `${value} ${unit} on ${meter}${calls.length > 1 ? `, after ${calls.length} attempts over a poor link` : ''}.`;
  },
  async run({ run, tool, withTrace }, { meter, fails, value, unit, busy }) {
    let attempts = 0;
    const read = tool('read_meter', 'Reads a meter by radio', { meter: z.string(), window_s: z.number() }, () => {
      attempts += 1;
      if (attempts <= fails)
        throw new Error(
          busy
            ? 'gateway busy, 3 jobs ahead'
            : `radio timeout after ${8 + attempts * 2}.0 s, rssi -${100 + attempts} dBm`,
        );
      return `${value} ${unit}, battery 3.1 V`;
    });
    const reader = new Agent({
      name: 'meter-reader',
      instructions: 'You read utility meters by radio. Links are weak: try up to five times.',
      model: 'gpt-4o-mini',
      tools: [read],
    });
    await withTrace('Meter reading', () => run(reader, `Current reading of ${meter}, please.`, { maxTurns: 11 }));
  },
};
