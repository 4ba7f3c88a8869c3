// Pipeline: a workflow of agents turns an interview into show notes, in the language of the interview.
import { createStep, createWorkflow } from '@mastra/core/workflows';
import { z } from 'zod';

const Text = z.object({ text: z.string() });

export default {
  pattern: 'pipeline',
  healthy: [
    {
      talk: 'We moved the bakery from gas to an electric deck oven last autumn. The first three weeks every loaf was too pale, and then we learned to preheat to 290 degrees.',
      parts: ['moving from gas to electric', 'pale loaves and a hotter preheat'],
      notes:
        '**An oven without a flame.** Why a bakery switched to an electric deck oven, what went wrong for three weeks, and why 290 degrees was the answer.',
    },
    {
      talk: 'Ich repariere seit zwölf Jahren Akkordeons. Das Schwierigste sind nicht die Tasten, sondern das Wachs, das im Sommer weich wird.',
      parts: ['zwölf Jahre Werkstatt', 'weiches Wachs im Sommer'],
      notes:
        '**Was im Balg steckt.** Ein Akkordeonbauer erzählt, warum ihm weniger die Tasten Sorgen machen als das Wachs an warmen Tagen.',
    },
    {
      talk: 'Nós plantamos mangue à mão, muda por muda. Em 2019 perdemos quase tudo numa maré de tempestade, e recomeçamos no mês seguinte.',
      parts: ['o plantio manual', 'a perda de 2019 e o recomeço'],
      notes:
        '**Muda por muda.** Sobre o replantio do mangue, a tempestade que levou quase tudo em 2019 e um grupo que não desistiu.',
    },
    {
      talk: 'My grandmother counted in a base of twenty, and the app we wrote for the school teaches both ways side by side.',
      parts: ['counting by twenties', 'an app for two number systems'],
      notes:
        '**Twenty fingers and toes.** A conversation on an old way of counting and a classroom app which keeps it in use.',
    },
    {
      talk: '二十年前、この島の診療所に来たときは船が週に二便だけでした。今は遠隔の画像診断がありますが、天気が悪い日はやはり自分の手が頼りです。',
      parts: ['週二便の船', '遠隔診断と悪天候'],
      notes:
        '**島の診療所から。** 船が週に二便しかなかった頃の話と、遠隔診断が入った今でも嵐の日に頼りになるものについて聞きました。',
    },
    {
      talk: 'The archive had burned, so we rebuilt the parish register from gravestones, letters and one very stubborn butcher who had kept his account books.',
      parts: ['a burned archive', 'sources: stones, letters, account books'],
      notes:
        '**A register from stones.** How volunteers put a parish register together again, with help from a butcher’s account books.',
    },
  ],
  failing: [
    {
      talk: 'We sold the herd in 2021 and put up solar panels. The sheep came back two years later, because someone has to keep the grass short under them.',
      parts: ['selling the herd', 'solar panels', 'sheep under the panels'],
      notes:
        'Mix two cups of flour with the yeast and let the dough rest in a warm place for about ninety minutes before you shape it.',
      fault: 'the last agent writes a recipe in place of the show notes',
      agent: 'editor',
      step: 'answer',
      expect: ['derailment', 'persona_drift', 'specification', 'output_validation', 'context_neglect', 'withholding'],
    },
  ],
  model({ system, user }, { talk, parts, notes }) {
    if (system.startsWith('Transcript')) return talk.replace(/^(Well|So|And)[, ]+/i, '').trim();
    if (system.startsWith('Outline')) return parts.map((part, at) => `${at + 1}. ${part}`).join('\n');
    return user.length > 0 ? notes : '';
  },
  async run({ agent, app }, { talk }) {
    const agents = {
      cleaner: agent('cleaner', 'Transcript cleaner: remove filler words, change nothing else.'),
      outliner: agent('outliner', 'Outline the interview in at most four points, in its own language.'),
      editor: agent('editor', 'Write show notes from the outline, under 60 words, in the same language.'),
    };
    const step = (id, name, ask) =>
      createStep({
        id,
        inputSchema: Text,
        outputSchema: Text,
        execute: async ({ inputData, mastra }) => ({
          text: (await mastra.getAgent(name).generate(ask(inputData.text))).text,
        }),
      });
    const flow = createWorkflow({ id: 'show-notes', inputSchema: Text, outputSchema: Text })
      .then(step('clean', 'cleaner', (text) => text))
      .then(step('outline', 'outliner', (text) => `Interview:\n${text}`))
      .then(step('write', 'editor', (text) => `Outline:\n${text}`))
      .commit();
    const mastra = app({ agents, workflows: { flow } });
    const run = await mastra.getWorkflow('flow').createRun();
    const ended = await run.start({ inputData: { text: talk } });
    if (ended.status !== 'success') throw ended.error ?? new Error(ended.status);
  },
};
