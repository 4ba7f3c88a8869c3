// Long session: a listener plans an evening of radio in many turns; the thread is kept by a checkpointer.
import { MemorySaver } from '@langchain/langgraph';
import { createAgent } from 'langchain';
import { z } from 'zod';

const TALK = [
  [
    'Was läuft heute Abend zwischen acht und elf?',
    'list',
    'Um 20:05 ein Hörspiel aus dem Moor, um 21:30 Streichquartette, um 22:45 Nachrichten mit Presseschau.',
  ],
  ['Das Hörspiel klingt gut. Wer spricht?', 'cast', 'Es sprechen Almut Rieck und Taner Özkan, Regie führt Signe Holm.'],
  ['Nimm es bitte auf.', 'record', 'Ist eingestellt: 20:05 bis 21:20, Speicherplatz 118 MB.'],
  ['Und wenn es länger dauert?', null, 'Dann hängt das Gerät von selbst zehn Minuten an.'],
  ['Welche Quartette sind es?', 'pieces', 'Haydn, op. 76 Nr. 4, und danach das erste von Janáček.'],
  [
    'Den Haydn kenne ich auswendig, nur den Janáček bitte.',
    'record',
    'Gut, ich beginne um 21:55, kurz vor dem zweiten Werk.',
  ],
  [
    'Kommt morgen die Presseschau wieder?',
    'list',
    'Morgen kommt sie erst um 23:10, wegen der Übertragung vom Stadtrat.',
  ],
  ['Dann lass sie weg.', null, 'Mache ich. Es bleiben zwei Aufnahmen für heute.'],
  ['Zeig mir die Liste.', 'recordings', '1) 20:05 Hörspiel aus dem Moor, 2) 21:55 Janáček, Streichquartett Nr. 1.'],
  ['Tausch die beiden in der Wiedergabe.', 'order', 'Getauscht; zuerst der Janáček.'],
  ['Weck mich um sieben mit dem Hörspiel.', 'alarm', 'Wecker auf 7:00 mit dem Hörspiel, Lautstärke drei.'],
  ['Lieber halb acht.', 'alarm', 'Jetzt ist er auf 7:30 gestellt.'],
  ['Danke, gute Nacht.', null, 'Gute Nacht!'],
];

export default {
  pattern: 'long session',
  healthy: [{ length: 13 }, { length: 10 }, { length: 8 }, { length: 6 }, { length: 4 }, { length: 11 }, { length: 3 }],
  failing: [
    {
      length: 12,
      deaf: true,
      fault: 'the correction of the alarm is ignored: the tool is called with the old time and the answer keeps it',
      agent: 'radio',
      step: 'radio',
      expect: ['context_neglect', 'communication', 'specification', 'coordination', 'reasoning_action_mismatch'],
    },
    {
      length: 6,
      full: true,
      fault: 'both recordings fail for want of space and the agent says that they are set',
      agent: 'radio',
      step: 'answer',
      expect: ['tool_failure', 'reasoning_action_mismatch', 'grounding', 'hallucination', 'quality_gate'],
    },
  ],
  model({ user, last }, { deaf }) {
    const [, act, answer] = TALK.find(([message]) => message === user);
    const late = user.startsWith('Lieber');
    if (act && last.role === 'user')
      return { call: ['radio', { act, detail: late ? (deaf ? '07:00' : '07:30') : user.slice(0, 40) }] };
    return deaf && late ? 'Der Wecker steht auf 7:00.' : answer;
  },
  async run({ chat, tool }, { length, full, deaf }) {
    const results = {
      list: '20:05 Moorhörspiel | 21:30 Quartette | 22:45 Nachrichten und Presseschau; morgen Presseschau 23:10',
      cast: 'Rieck, Özkan; Regie Holm',
      pieces: 'Haydn op. 76/4; Janáček Nr. 1',
      recordings: '2 Einträge',
      order: 'ok',
      alarm: 'ok',
    };
    let made = 0;
    const radio = tool(
      'radio',
      'Programme, recordings and alarm of the receiver',
      { act: z.string(), detail: z.string() },
      ({ act, detail }) => {
        if (act !== 'record') return `${results[act]}${act === 'alarm' ? ` ${detail}` : ''}`;
        made += 1;
        if (full) throw new Error('ENOSPC: 0 MB free on /rec, recording not scheduled');
        return `scheduled #${made}, ${made === 1 ? 118 : 64} MB`;
      },
    );
    const agent = createAgent({
      model: chat('gpt-4o-mini'),
      tools: [radio],
      name: 'radio',
      systemPrompt: 'Du bist das Radio. Antworte kurz.',
      checkpointer: new MemorySaver(),
    });
    for (const [content] of TALK.slice(0, length))
      await agent
        .invoke(
          { messages: [{ role: 'user', content }] },
          { configurable: { thread_id: `abend-${length}${deaf ? 'b' : ''}` } },
        )
        .catch(() => null);
  },
};
