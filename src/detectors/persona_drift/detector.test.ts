import { type DetectorRow, testDetector } from '../_testing/tester.ts';
import { personaDrift } from './detector.ts';

const GERMAN = 'Die Fähre ist am Abend für Sie bereit, und die Kabine wird nicht vor acht Uhr geöffnet.';
const ENGLISH = 'The ferry is ready for you in the evening and the cabin will not be opened before eight.';
const ask = `user "Wann ist die Fähre am Abend bereit, und wie komme ich mit dem Auto auf das Schiff?"`;
const talk = (last: string) =>
  `${ask}\nagent clerk\nllm gpt-4o -> "${GERMAN}"\n${ask}\nllm gpt-4o -> "${GERMAN} Gute Fahrt."\n${ask}\nllm gpt-4o -> "${last}"`;

const rows: DetectorRow[] = [
  {
    name: 'identity_changed',
    trace:
      'system "You are Nora, the guide of the harbour museum."\nagent guide\nllm gpt-4o -> "My name is Gemma, a model trained by a laboratory."',
    fires: [{ subtype: 'identity_changed', step: 1, agent: 'guide', severity: 'warning', text: 'Gemma' }],
  },
  {
    name: 'identity_changed: inside the state of a graph',
    trace: `
framework langgraph
node guide
state {"system_prompt":"You are Nora, the guide of the harbour museum.","reply":"Welcome to the harbour museum."}
node guide
state {"system_prompt":"You are Nora, the guide of the harbour museum.","reply":"My name is Gemma, a model trained by a laboratory."}`,
    fires: [{ subtype: 'identity_changed', step: 1, agent: 'guide', text: 'Gemma' }],
  },
  ...['Hi, I am ChatGPT, a model trained by OpenAI.', 'As Claude, an AI made by Anthropic, I can help.'].map(
    (answer) => ({
      name: `identity_changed: ${answer}`,
      trace: `system "You are Nora, the guide of the harbour museum."\nagent guide\nllm gpt-4o -> ${JSON.stringify(answer)}`,
      fires: [{ subtype: 'identity_changed', step: 1, agent: 'guide' }],
    }),
  ),
  ...['Mein Name ist Gemma, ein Modell eines Labors.', 'Ich heiße Max von der Acme Bank.'].map((answer) => ({
    name: `identity_changed: ${answer}`,
    trace: `system "Du bist Nora, die Führerin des Hafenmuseums."\nagent guide\nllm gpt-4o -> ${JSON.stringify(answer)}`,
    fires: [{ subtype: 'identity_changed', step: 1, agent: 'guide', text: 'Nora' }],
  })),
  ...[
    ['Du bist Assistent, der Fragen beantwortet.', 'Mein Name ist Gemma, ein Modell eines Labors.'],
    ['Du bist Nora, die Führerin.', 'Ich heiße Nora von der Hafenbank.'],
    ['You are Nora, the guide.', 'As Captain Lund, a sailor, wrote: the sea is wide.'],
    ['You are Nora, the guide.', 'As Nora, an assistant, I can help.'],
  ].map(([prompt, answer]) => ({
    name: `silent: ${prompt} ${answer}`,
    trace: `system ${JSON.stringify(prompt)}\nagent guide\nllm gpt-4o -> ${JSON.stringify(answer)}`,
    silent: true as const,
  })),
  {
    name: 'language_switched',
    trace: talk(ENGLISH),
    fires: [{ subtype: 'language_switched', agent: 'clerk', severity: 'warning', text: 'english' }],
  },
  { name: 'silent: the same language throughout', trace: talk(`${GERMAN} Bis bald.`), silent: true },
  {
    name: 'silent: the user changed the language',
    trace: `${talk(`${GERMAN} Bis bald.`)}\nuser "${ENGLISH}"\nllm gpt-4o -> "${ENGLISH}"`,
    silent: true,
  },
  {
    name: 'silent: the same name',
    trace: 'system "You are Nora, the guide."\nagent guide\nllm gpt-4o -> "My name is Nora, your guide."',
    silent: true,
  },
  {
    name: 'silent: no name was given',
    trace: 'system "You are a helpful assistant."\nagent guide\nllm gpt-4o -> "I am Sorry, the museum is closed."',
    silent: true,
  },
  { name: 'not applicable without text', trace: 'span run', notApplicable: true },
];

testDetector(personaDrift, rows, { readme: new URL('./README.md', import.meta.url) });
