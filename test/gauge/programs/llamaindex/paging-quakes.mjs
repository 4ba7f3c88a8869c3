// Paging: an agent reads a catalogue of earthquakes page after page for the strongest one.
import { agent } from '@llamaindex/workflow';
import { z } from 'zod';

const quake = (n) => ({
  at: `${String(3 + (n % 25)).padStart(2, '0')}T${String((n * 5) % 24).padStart(2, '0')}:1${n % 10}`,
  mag: Number((2.1 + ((n * 17) % 31) / 10).toFixed(1)),
  depth_km: 4 + ((n * 11) % 60),
});

export default {
  pattern: 'paging',
  healthy: [
    { region: 'Vrancea', count: 14, size: 5 },
    { region: 'Hinnøya', count: 6, size: 6 },
    { region: 'Izu', count: 27, size: 7 },
    { region: 'Val d’Aoste', count: 20, size: 4 },
    { region: 'Tarija', count: 33, size: 6 },
    { region: 'Rotorua', count: 9, size: 3 },
  ],
  failing: [
    {
      region: 'Campi Flegrei',
      count: 40,
      size: 5,
      early: 1,
      fault: 'reads the first of eight pages and names the strongest quake of the month',
      agent: 'seismologist',
      step: 'answer',
      expect: ['completion', 'grounding', 'quality_gate', 'withholding', 'hallucination'],
    },
    {
      region: 'Oaxaca',
      count: 16,
      size: 4,
      wrong: 8.3,
      fault: 'the magnitude in the answer is on none of the pages',
      agent: 'seismologist',
      step: 'answer',
      expect: ['grounding', 'hallucination'],
    },
  ],
  model({ calls, result }, { region, early, wrong }) {
    if (calls.length === 0) return { call: ['quake_page', { region, page: 1 }] };
    const [page, pages] = /page (\d+).(\d+)/.exec(result).slice(1).map(Number);
    if (page < pages && page !== early) return { call: ['quake_page', { region, page: page + 1 }] };
    const events = calls.flatMap((call) =>
      [...call.result.matchAll(/(\d\d)T\S+ M([\d.]+) (\d+) km/g)].map(([, day, mag, depth]) => ({
        day,
        mag: Number(mag),
        depth,
      })),
    );
    const top = events.toSorted((a, b) => b.mag - a.mag)[0];
    return `The strongest quake of the month near ${region} had magnitude ${wrong ?? top.mag} at a depth of ${top.depth} km, on day ${top.day}.`;
  },
  async run({ chat, tool, within }, { region, count, size }) {
    const pages = Math.ceil(count / size);
    const read = tool(
      'quake_page',
      'One page of the catalogue of this month',
      { region: z.string(), page: z.number() },
      ({ page }) => {
        const events = Array.from({ length: Math.min(size, count - (page - 1) * size) }, (_, at) =>
          quake((page - 1) * size + at + region.length * 7),
        );
        return `page ${page}/${pages}\n${events.map(({ at, mag, depth_km }) => `${at} M${mag} ${depth_km} km`).join('\n')}`;
      },
    );
    const seismologist = agent({
      name: 'seismologist',
      systemPrompt: 'You read the earthquake catalogue. Go through all its pages.',
      llm: chat('gpt-4o-mini'),
      tools: [read],
      timeout: 20,
    });
    const ask = `Which was the strongest quake near ${region} this month?`;
    await within('workflow', 'quake_report', ask, async () => (await seismologist.run(ask)).data.result);
  },
};
