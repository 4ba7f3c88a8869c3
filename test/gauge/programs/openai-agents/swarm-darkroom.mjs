// Swarm: three technicians of a film laboratory hand a roll to each other until it is scanned.
import { Agent } from '@openai/agents';
import { z } from 'zod';

export default {
  pattern: 'swarm',
  healthy: [
    { roll: 'K-118', film: 'HP5', push: 1, dust: 0, path: ['develop', 'scan'] },
    { roll: 'K-121', film: 'Portra 400', push: 0, dust: 3, path: ['develop', 'scan', 'retouch'] },
    { roll: 'K-126', film: 'Ektachrome', push: 0, dust: 9, path: ['develop', 'scan', 'develop', 'scan', 'retouch'] },
    { roll: 'K-130', film: 'FP4', push: 2, dust: 1, path: ['develop', 'scan'] },
    { roll: 'K-134', film: 'CineStill 800', push: 1, dust: 5, path: ['develop', 'scan', 'retouch', 'scan'] },
    { roll: 'K-139', film: 'Rollei Infrared', push: 0, dust: 0, path: ['scan'] },
    { roll: 'K-142', film: 'Gold 200', push: 0, dust: 4, path: ['develop', 'scan', 'retouch'] },
  ],
  failing: [
    {
      roll: 'K-150',
      film: 'HP5',
      push: 1,
      dust: 0,
      path: ['develop', 'scan'],
      pingPong: true,
      fault: 'developer and scanner hand the roll to each other until the limit of turns',
      agent: 'scanner',
      step: 'transfer_to_developer',
      expect: ['loop', 'coordination'],
    },
    {
      roll: 'K-151',
      film: 'Delta 3200',
      push: 2,
      dust: 2,
      path: ['develop', 'scan'],
      torn: true,
      fault: 'the scanner tool reports a torn film and the agent says that all frames are scanned',
      agent: 'scanner',
      step: 'answer',
      expect: ['tool_failure', 'grounding', 'hallucination', 'reasoning_action_mismatch', 'quality_gate', 'completion'],
    },
  ],
  model({ system, calls, messages }, { roll, film, push, dust, path, pingPong, torn }) {
    const me = /I (develop|scan|retouch)/.exec(system)[1];
    if (pingPong) return { call: [`transfer_to_${me === 'scan' ? 'developer' : 'scanner'}`, {}] };
    const names = { develop: 'developer', scan: 'scanner', retouch: 'retoucher' };
    const work = {
      develop: ['run_bath', { roll, minutes: 9 + push * 3 }],
      scan: ['scan_roll', { roll, dpi: 4000 }],
      retouch: ['remove_dust', { roll, frames: dust }],
    };
    const done = calls.filter(({ name }) => ['run_bath', 'scan_roll', 'remove_dust'].includes(name)).length;
    const stage = path[done];
    if (stage === undefined) {
      if (torn) return `Roll ${roll} is finished: all 36 frames of ${film} are scanned and lie in your folder.`;
      return `${roll} (${film}${push ? `, pushed ${push}` : ''}) is in your folder; ${dust ? `${dust} frames were cleaned of dust` : 'the negatives were clean'}. Passed through ${messages.length} notes of the lab.`;
    }
    return stage === me ? { call: work[stage] } : { call: [`transfer_to_${names[stage]}`, {}] };
  },
  async run({ run, tool, withTrace }, { roll, film, push, torn }) {
    const shape = { roll: z.string() };
    let scans = 0;
    const agent = (name, verb, tools) =>
      new Agent({
        name,
        instructions: `I ${verb} film in a laboratory. When another step is due, hand over.`,
        model: 'gpt-4o-mini',
        tools,
      });
    const developer = agent('developer', 'develop', [
      tool(
        'run_bath',
        'Develops a roll',
        { ...shape, minutes: z.number() },
        ({ minutes }) => `bath done, ${minutes} min at 20.${push} °C`,
      ),
    ]);
    const scanner = agent('scanner', 'scan', [
      tool('scan_roll', 'Scans a roll', { ...shape, dpi: z.number() }, () => {
        scans += 1;
        return torn
          ? 'E-TRANSPORT film torn at frame 7, 6 of 36 frames captured'
          : `36 frames, pass ${scans}, density ${(0.61 + scans / 10).toFixed(2)}`;
      }),
    ]);
    const retoucher = agent('retoucher', 'retouch', [
      tool(
        'remove_dust',
        'Cleans frames',
        { ...shape, frames: z.number() },
        ({ frames }) => `${frames} frames cleaned`,
      ),
    ]);
    developer.handoffs = [scanner, retoucher];
    scanner.handoffs = [developer, retoucher];
    retoucher.handoffs = [developer, scanner];
    await withTrace(
      'Film order',
      () =>
        run(
          developer,
          `Roll ${roll}, ${film}, ${push ? `push by ${push} stops` : 'as usual'}. Develop and scan, please.`,
          { maxTurns: 12 },
        ),
      { groupId: roll },
    );
  },
};
