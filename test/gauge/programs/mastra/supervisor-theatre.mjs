// Supervisor: a stage manager has agents of its own (light, sound, wardrobe) and asks them before the evening.
import { z } from 'zod';

const LOOK = {
  light: ['patch_check', { rig: 'main' }],
  sound: ['line_check', { channels: 24 }],
  wardrobe: ['rail_count', { act: 2 }],
};

export default {
  pattern: 'supervisor',
  healthy: [
    {
      play: 'The Seagull',
      order: ['light', 'sound', 'wardrobe'],
      found: {
        light: '118 of 120 lamps answer; 44 and 87 are spare positions.',
        sound: 'All 24 lines are quiet.',
        wardrobe: 'Complete; Nina’s white shawl was ironed.',
      },
    },
    {
      play: 'Woyzeck',
      order: ['wardrobe', 'light'],
      found: {
        wardrobe: 'A button is missing on the drum major’s coat, I sew it on now.',
        light: 'Everything answers.',
      },
    },
    {
      play: 'Ubu Roi',
      order: ['sound'],
      found: { sound: 'Channel 9 crackled; I changed the cable and it is silent now.' },
    },
    {
      play: 'Das Käthchen',
      order: ['light', 'light', 'sound'],
      found: {
        light: 'Lampe 12 hat geflackert, die Fassung ist bestellt und wird gewechselt.',
        sound: 'Tonprobe ist durch, Gewitter sitzt.',
      },
      again: 'Nach dem Wechsel der Fassung brennt Lampe 12 ruhig.',
    },
    {
      play: 'Yerma',
      order: ['sound', 'wardrobe', 'sound'],
      found: { sound: 'El viento suena por los altavoces de atrás.', wardrobe: 'Faltaba un mantón y ya está.' },
      again: 'Ahora el viento se oye también en el anfiteatro.',
    },
    { play: 'Hedda', order: ['wardrobe'], found: { wardrobe: 'Pistols are with the armourer, dresses on the rail.' } },
  ],
  failing: [
    {
      play: 'Faust',
      order: ['light', 'sound'],
      found: { light: 'The follow spot is dead and there is no second one.', sound: 'Fine.' },
      denies: true,
      fault: 'the report calls the house ready although the light desk reported a dead follow spot',
      agent: 'stage-manager',
      step: 'answer',
      expect: [
        'grounding',
        'hallucination',
        'communication',
        'withholding',
        'context_neglect',
        'coordination',
        'quality_gate',
      ],
    },
    {
      play: 'Medea',
      order: ['sound', 'sound', 'sound', 'sound', 'sound', 'sound', 'sound', 'sound'],
      found: { sound: 'Checked, the lines are quiet.' },
      fault: 'asks the same sub-agent the same thing until the limit of steps',
      agent: 'stage-manager',
      step: 'agent-sound',
      expect: ['loop', 'coordination'],
      endless: true,
    },
  ],
  model({ system, calls, last, user }, { play, order, found, again, denies }) {
    const me = /^(Light|Sound|Wardrobe)/.exec(system)?.[1].toLowerCase();
    if (me) return last.role === 'tool' ? (user.startsWith('Once more') ? again : found[me]) : { call: LOOK[me] };
    const next = order[calls.length];
    if (next)
      return {
        call: [
          `agent-${next}`,
          {
            prompt:
              calls.length > 0 && order.slice(0, calls.length).includes(next) && play !== 'Medea'
                ? `Once more after the change, please: ${next}, ${play}.`
                : `Check ${next} for ${play}.`,
          },
        ],
      };
    if (denies) return `${play}: light and sound are in order, the house is ready at 19:30.`;
    return `${play}, 19:30.\n${[...new Set(order)].map((name) => `${name}: ${found[name]}`).join('\n')}\nDoors open at seven.`;
  },
  async run({ agent, app, tool }, { play, found }) {
    const part = (name, brief, [id], shape, result) =>
      agent(name, brief, {
        description: `Checks ${name}`,
        tools: { [id]: tool(id, id.replace('_', ' '), shape, () => result) },
      });
    const light = part(
      'light',
      'Light desk: check and report in one sentence.',
      LOOK.light,
      { rig: z.string() },
      { desk: 'light', log: found.light },
    );
    const sound = part(
      'sound',
      'Sound desk: check and report in one sentence.',
      LOOK.sound,
      { channels: z.number() },
      { noise_floor_db: -71, log: found.sound },
    );
    const wardrobe = part(
      'wardrobe',
      'Wardrobe: check and report in one sentence.',
      LOOK.wardrobe,
      { act: z.number() },
      { rail: 'act 2', pieces: 31, log: found.wardrobe },
    );
    const boss = agent(
      'stage-manager',
      'You are the stage manager. Ask the desks, then write the report of the house.',
      { agents: { light, sound, wardrobe } },
    );
    const mastra = app({ agents: { boss, light, sound, wardrobe } });
    await mastra
      .getAgent('boss')
      .generate(`Is the house ready for ${play} tonight?`, { maxSteps: play === 'Medea' ? 8 : 6 });
  },
};
