import type { Trace } from '../../core/trace.ts';
import { type DetectorRow, testDetector } from '../_testing/tester.ts';
import { addStep, emptyDraft, finishTrace } from '../_testing/trace-draft.ts';
import { contextNeglect } from './detector.ts';

type Line = [role: 'user' | 'assistant', text: string];

/** One model call per answer, each sent the whole conversation so far. */
function calls(agents: readonly string[], lines: readonly Line[]): Trace {
  const draft = emptyDraft();
  for (const [at, [role, output]] of lines.entries()) {
    if (role === 'user') continue;
    const inputMessages = lines.slice(0, at).map(messageOf);
    const outputMessages = [messageOf([role, output])];
    const agent = agents[draft.steps.length % agents.length]!;
    addStep(draft, { kind: 'llm', model: 'gpt-4o', agent, output, inputMessages, outputMessages });
  }
  return finishTrace(draft);
}

function messageOf([role, content]: Line) {
  return { role, name: null, content, toolCalls: [], toolCallId: null };
}

const DAY = 'On which day of the week does the party want to travel north?';
const BOOKING: Line[] = [
  ['user', 'I want to change a booking.'],
  ['assistant', DAY],
  ['user', 'On Thursday, all four of us.'],
  ['assistant', DAY],
];
const KETTLE: Line[] = [
  ['user', 'I want to return a kettle. My mail is ida@example.org.'],
  ['assistant', 'Sure! Could you please provide your email address?'],
];

const OPENING =
  'To repair the export we first look through the report module, then change how rows are grouped, and last run the ' +
  'tests of the module. Navigator, please find the file in which rows are grouped and show me the whole function with its imports.';

const REPEATED_WORK =
  'agent navigator\nllm gpt-4o -> "I opened part 1 of the report module and found a function that groups rows by their key."';

function team(second: string, after = ''): string {
  return `
task "Fix the export"
agent planner
llm gpt-4o -> ${JSON.stringify(OPENING)}
agent navigator
repeat 3
  llm gpt-4o -> "I opened part {n} of the report module and found a function that groups rows by their key."
agent editor
llm gpt-4o -> "I changed the grouping so that rows without a key come last, as in the ticket, and saved the file."
agent planner
llm gpt-4o -> ${JSON.stringify(second)}
${after}`;
}

const ASKED = 'Cancel booking QX-48213 and mail the receipt to ida@example.org.';

/** A service that lists offers only. */
function service(
  lines: readonly string[] = ['tool list_offers {"month":"May"} -> ["Crete"]'],
  { asked = ASKED, answer = 'Crete is on offer in May.', start = '' } = {},
): string {
  return `${start}
user ${JSON.stringify(asked)}
agent clerk
${lines.join('\n')}
llm gpt-4o -> ${JSON.stringify(answer)}`;
}

/** The span of an agent, with the conversation as input and output, around its calls. */
function insideAgent(asked: string): Trace {
  const draft = emptyDraft();
  const answer = 'Crete is on offer in May.';
  const input = JSON.stringify([{ role: 'user', content: asked }]);
  const agent = addStep(draft, { kind: 'agent', name: 'clerk', agent: 'clerk', input, output: answer });
  const tool = { id: null, name: 'list_offers', arguments: { month: 'May' }, result: '["Crete"]' };
  addStep(draft, { kind: 'tool', name: 'list_offers', agent: 'clerk', parent: agent, tool });
  const inputMessages = [messageOf(['user', asked])];
  const outputMessages = [messageOf(['assistant', answer])];
  addStep(draft, {
    kind: 'llm',
    model: 'gpt-4o',
    agent: 'clerk',
    parent: agent,
    output: answer,
    inputMessages,
    outputMessages,
  });
  return finishTrace(draft);
}

/** Eight turns, with the same line of the log before them and after the given number of them. */
function setUpTwice(turnsBefore: number, what: string): string {
  const turn = (n: number) => `llm gpt-4o -> "I looked into part ${n} of the report module and noted what it does."`;
  const turns = Array.from({ length: 8 }, (_, n) => turn(n));
  const line = `system "Worker 3 was ${what} for ticket 12"`;
  return ['agent navigator', line, ...turns.slice(0, turnsBefore), line, ...turns.slice(turnsBefore)].join('\n');
}

const rows: DetectorRow[] = [
  {
    name: 'restart: the planner opens the run again',
    trace: team(OPENING.replace('we first look', 'we should look'), REPEATED_WORK),
    fires: [{ subtype: 'restart', step: 5, agent: 'planner', severity: 'warning', text: 'repeats what had followed' }],
    isPrefixInvariant: false,
  },
  {
    name: 'silent: a plan is updated, and the work continues',
    trace: team(
      OPENING.replace('we first look', 'we should look'),
      'agent editor\nllm gpt-4o -> "The tests pass, so the export is repaired."',
    ),
    silent: true,
  },
  { name: 'silent: the same message word for word is a loop', trace: team(OPENING, REPEATED_WORK), silent: true },
  {
    name: 'silent: the second speaker is not the one that opened the run',
    trace: `agent clerk\nllm gpt-4o -> "I look."\ntool find {} -> "x"\n${team(OPENING.replace('we first look', 'we should look'), REPEATED_WORK)}`,
    silent: true,
  },
  {
    name: 'silent: the user sent the task again',
    trace: team(OPENING.replace('we first look', 'we should look'), REPEATED_WORK).replace(
      'agent editor',
      'user "Fix the export"\nagent editor',
    ),
    silent: true,
  },
  {
    name: 'asked_again: an e-mail address that was given',
    trace: `
agent clerk
user "I want to return a kettle. My mail is ida@example.org."
llm gpt-4o -> "Sure! Could you please provide your email address?"`,
    fires: [{ subtype: 'asked_again', step: 1, agent: 'clerk', severity: 'warning', text: 'e-mail address' }],
  },
  {
    name: 'repeated_question: although it was answered',
    trace: `
agent clerk
user "I want to change a booking."
llm gpt-4o -> "On which day of the week does the party want to travel north?"
user "On Thursday, all four of us."
llm gpt-4o -> "On which day of the week does the party want to travel north?"`,
    fires: [{ subtype: 'repeated_question', step: 3 }],
  },
  {
    name: 'restart: the set-up line occurs again in the middle of the work',
    trace: setUpTwice(4, 'set up'),
    fires: [{ subtype: 'restart', step: 5, agent: 'navigator', severity: 'warning', text: '4 turns' }],
    isPrefixInvariant: false,
  },
  { name: 'silent: set up twice before the work', trace: setUpTwice(1, 'set up'), silent: true },
  { name: 'silent: set up again after the work', trace: setUpTwice(7, 'set up'), silent: true },
  { name: 'silent: another log line occurs again', trace: setUpTwice(4, 'read the index of'), silent: true },
  {
    name: 'silent: the planner continues',
    trace: team(
      'The grouping is changed as planned. Executor, please run the tests of the report module and send me whatever fails, with the trace.',
    ),
    silent: true,
  },
  {
    name: 'silent: a single agent returns to its notes',
    trace: `agent solo\nllm gpt-4o -> ${JSON.stringify(OPENING)}\nrepeat 6\n  tool step_{n} {} -> "result {n}"\nllm gpt-4o -> ${JSON.stringify(OPENING)}`,
    silent: true,
  },
  {
    name: 'asked_again: the messages of a model call show what the user gave',
    trace: calls(['clerk'], KETTLE),
    fires: [{ subtype: 'asked_again', step: 0, text: 'in the messages sent with that call' }],
    isPrefixInvariant: false,
  },
  {
    name: 'repeated_question: in the messages of two model calls',
    trace: calls(['clerk'], BOOKING),
    fires: [{ subtype: 'repeated_question', step: 1, text: 'asked at step 1 what it had asked at step 0' }],
    isPrefixInvariant: false,
  },
  {
    name: "silent: among several agents, the user's role is not the user",
    trace: calls(['clerk', 'planner'], [...BOOKING, ...KETTLE]),
    silent: true,
  },
  {
    name: 'silent: a question inside a long answer',
    trace: calls(
      ['clerk'],
      [
        ['user', 'I want to change a booking.'],
        ['assistant', `${DAY} ${'The timetable lists the trains to the north. '.repeat(12)}`],
        ['user', 'On Thursday, all four of us.'],
        ['assistant', `${DAY} ${'The timetable lists the trains to the north. '.repeat(12)}`],
      ],
    ),
    silent: true,
  },
  {
    name: 'silent: asking for another address',
    trace: `
agent clerk
user "My mail is ida@example.org."
llm gpt-4o -> "I could not find an account with that. Could you provide another email address?"`,
    silent: true,
  },
  {
    name: 'silent: reading the value back',
    trace: `
agent clerk
user "My mail is ida@example.org."
llm gpt-4o -> "May I have a yes that your email address is ida@example.org?"`,
    silent: true,
  },
  {
    name: 'silent: what a service asks after each task',
    trace: `
agent clerk
user "Cancel it."
llm gpt-4o -> "Done. Is there anything else that I can help you with today?"
user "Yes, cancel the other one as well."
llm gpt-4o -> "Done. Is there anything else that I can help you with today?"`,
    silent: true,
  },
  {
    name: 'unused_value: calls without the values of the user',
    trace: service(),
    fires: [
      {
        subtype: 'unused_value',
        step: 2,
        agent: 'clerk',
        severity: 'warning',
        text: 'The user gave "ida@example.org" and "QX-48213" at step 0. clerk gave its last answer at step 2 and made 1 call, and its arguments and result do not contain them.',
      },
    ],
  },
  {
    name: 'unused_value: one of two values was used',
    trace: service(['tool cancel {"id":"qx48213"} -> "cancelled"']),
    fires: [
      { subtype: 'unused_value', step: 2, severity: 'warning', text: 'The user gave "ida@example.org" at step 0' },
    ],
  },
  ...[
    'Hi, I am Ann, mail ann.b@example.org, customer C-99120. Which harbours are open on Sunday?',
    'Which harbours are open on Sunday?\n\nBest regards,\nAnn Berg\nann.b@example.org | customer C-99120',
    'Welche Häfen haben am Sonntag offen?\n\nMit freundlichen Grüßen\nAnn Berg\nann.b@example.org',
    'Which harbours are open on Sunday?\n--\nAnn Berg\nwww.berg.example/contact',
  ].map(
    (asked): DetectorRow => ({
      name: `silent: a value that only says who writes: ${asked}`,
      trace: service(['tool find_harbours {"day":"Sunday"} -> "Kiel"'], { asked }),
      silent: true,
    }),
  ),
  {
    name: 'unused_value: a value above the signature',
    trace: service(['tool find_harbours {"day":"Sunday"} -> "Kiel"'], {
      asked: 'Cancel QX-48213 for me.\n\nBest regards,\nAnn Berg\nann.b@example.org',
    }),
    fires: [{ subtype: 'unused_value', text: 'The user gave "QX-48213" at step 0' }],
  },
  {
    name: 'unused_value: an introduction that is the request',
    trace: service(['tool find_harbours {"day":"Sunday"} -> "Kiel"'], {
      asked: 'I am Ann and want to cancel QX-48213. Thanks.',
    }),
    fires: [{ subtype: 'unused_value', text: 'The user gave "QX-48213" at step 0' }],
  },
  {
    name: 'unused_value: a link and a document, no call, declared tools',
    trace: service([], {
      start: 'offers open_page {"type":"object"}',
      asked: 'Do what www.harbour.test/list says and save it as harbour-tasks.docx.',
      answer: 'I cannot open pages.',
    }),
    fires: [
      {
        subtype: 'unused_value',
        step: 1,
        severity: 'warning',
        text: '"www.harbour.test/list" and "harbour-tasks.docx" at step 0. clerk gave its last answer at step 1 and made no call at all.',
      },
    ],
  },
  {
    name: 'unused_value: no call, and the instructions mention tools, in Japanese',
    trace: service([], { start: 'system "必ずツールを使ってください。"', answer: '承知しました。' }),
    fires: [{ subtype: 'unused_value', step: 2, severity: 'warning' }],
  },
  {
    name: 'unused_value: the span of the agent repeats the conversation',
    trace: insideAgent('Cancel QX-48213 please.'),
    fires: [
      {
        subtype: 'unused_value',
        step: 2,
        severity: 'warning',
        text: 'The user gave "QX-48213" in the messages of step 2. clerk gave its last answer at step 2 and made 1 call',
      },
    ],
  },
  {
    name: 'silent: the message is nothing but the value, and the agent was started with it',
    trace: insideAgent('QX-48213'),
    silent: true,
  },
  {
    name: 'silent: every value is in an argument or a result, in another form',
    trace: service([
      'tool find_booking {"id":"QX48213"} -> {"contact":"Ida@Example.org","state":"open"}',
      'tool cancel {"id":48213} -> "cancelled"',
    ]),
    silent: true,
  },
  {
    name: 'silent: the value is part of a command that a result contains',
    trace: service(['tool search {"q":"all"} -> "QX-48213 (ida@example.org): cancelled by the hotel"']),
    silent: true,
  },
  { name: 'silent: the run waits for the user', trace: service([], { answer: 'What is your name?' }), silent: true },
  {
    name: 'silent: no tools are known',
    trace: service([], { start: 'system "Serve the customer."', answer: 'I am sorry, that is not possible.' }),
    silent: true,
    isPrefixInvariant: false,
  },
  {
    name: 'silent: a link in parentheses names a source',
    trace: `user "List the stars of the catalogue (see https://stars.example/list)."
agent clerk
tool list_stars {"catalogue":"north"} -> "Vega, Deneb"
llm m -> "The catalogue lists Vega and Deneb."`,
    silent: true,
  },
  {
    name: 'silent: the message describes the page that a browser shows',
    trace: `user "[1] heading 'Stars'\\n\\t[2] link 'North'\\n\\t[31] button 'Search'\\nURL: https://stars.example/list\\nOBJECTIVE: List the stars."
agent clerk
tool click {"id":2} -> "Vega, Deneb"
llm m -> "The catalogue lists Vega and Deneb."`,
    silent: true,
  },
  {
    name: 'silent: the value was given after the last answer',
    trace: `${service(undefined, { asked: 'Which offers are there?' })}\nuser "Then book QX-48213."`,
    silent: true,
  },
  ...[
    '- harbour_regions.csv (CSV): codes of the regions',
    '* harbour_regions.csv: codes of the regions',
    '  • `harbour_regions.csv` - codes of the regions',
    '1. **harbour_regions.csv** – codes of the regions',
    '- harbour_regions.csv（地域コード）',
  ].map(
    (line): DetectorRow => ({
      name: `silent: the user lists and describes the data: ${line.trim()}`,
      trace: service(['tool count {"file":"ships.json","by":"harbour"} -> {"Kiel":12,"Lübeck":7}'], {
        asked: `Data in /srv/data/:\n${line}\n- ships.json (JSON, array, 19 records)\n\nQUESTION: Which harbour has the most ships?`,
        answer: 'Kiel.',
      }),
      silent: true,
    }),
  ),
  {
    name: 'silent: attachments with a description each',
    trace: service(['tool read {"name":"contract"} -> "The notice period is 30 days."'], {
      asked: 'Attached:\n- contract.pdf (12 pages)\n- price-list.xlsx: prices from May\n\nWhat is the notice period?',
      answer: '30 days.',
    }),
    silent: true,
  },
  ...[
    'Please process:\n- minutes-1.pdf\n- minutes-2.pdf',
    'Attached: minutes-1.pdf, minutes-2.pdf',
    'Please process:\n- minutes-1.pdf (12 pages)\n- minutes-2.pdf (9 pages)\n\nStart with minutes-2.pdf.',
    '- Summarize minutes-2.pdf: one sentence for each page',
  ].map(
    (asked): DetectorRow => ({
      name: `unused_value: the user asks for work on documents: ${asked.replaceAll('\n', ' ')}`,
      trace: service(['tool read {"name":"minutes-1.pdf"} -> "12 pages"'], { asked }),
      fires: [
        { subtype: 'unused_value', step: 2, severity: 'warning', text: 'The user gave "minutes-2.pdf" at step 0' },
      ],
    }),
  ),
  {
    name: 'silent: described documents count as values of a message with more values than a request has',
    trace: service(undefined, {
      asked: `${[1, 2, 3, 4, 5, 6].map((n) => `- berths-${n}.csv: pier ${n}`).join('\n')}\nMail the total to ida@example.org.`,
    }),
    silent: true,
  },
  ...[
    ["Send the minutes to ann@firm.example. Don't send them to bob@firm.example.", 'ann@firm.example'],
    ['Track 1Z999AA10123456784 please. Sorry, wrong one: it is 1Z999AA10123456799.', '1Z999AA10123456799'],
    ['Use https://new.example/api instead of https://old.example/api.', 'https://new.example/api'],
    ['My address changed from old@mail.example to new@mail.example.', 'new@mail.example'],
    ['Check https://shop.example/status. Never call https://shop.example/admin.', 'https://shop.example/status'],
    ['Never call https://shop.example/admin or https://shop.example/root.', 'shop'],
    ['Send the newsletter to list A, except to bob@firm.example.', 'list A'],
    ['Order it for bob@firm.example? No: bob@firm.example is excluded from that.', 'list A'],
    ['Validate DE89370400440532013000. It must look like AT611904300234573201.', 'DE89370400440532013000'],
    ['Envía el acta a la lista A. No la envíes a luis@firma.example.', 'lista A'],
    ['Schick es an Liste A, aber nicht an bernd@firma.example.', 'Liste A'],
    ['Envoie le compte rendu à la liste A, sauf à luc@firme.example.', 'liste A'],
    ['Invia il verbale alla lista A tranne a luca@ditta.example.', 'lista A'],
    ['Envie a ata à lista A, exceto para rui@firma.example.', 'lista A'],
    ['Stuur de notulen naar lijst A, maar niet naar jan@firma.example.', 'lijst A'],
    ['Wyślij protokół do listy A, ale nie do jan@firma.example.', 'lista A'],
    ['Отправь протокол по списку А, кроме ivan@firma.example.', 'А'],
    ['Tutanağı A listesine gönder, ali@firma.example adresine gönderme.', 'A'],
    ['请把纪要发给A组，不要发给 wang@firma.example。', 'A'],
    ['議事録をAに送ってください。ken@firma.example には送らないでください。', 'A'],
    ['회의록을 A에 보내세요. kim@firma.example 에는 보내지 마세요.', 'A'],
    ['أرسل المحضر إلى القائمة أ، باستثناء ali@firma.example.', 'أ'],
    ['Summarize this: "Hi, please call me at tom@firm.example about offer QX-48213. Tom"', 'friendly'],
    ['Draft an answer (I send it):\n\n“Hello, my order QX-48213 came broken. Ines, ines@mail.example”', 'friendly'],
    ['Draft an answer:\n\nHello,\nmy order QX-48213 came broken.\nInes, ines@mail.example', 'friendly'],
    ['Draft an answer.\n> My order QX-48213 came broken.\n> Write to ines@mail.example', 'friendly'],
    ['Draft an answer.\n\nFrom: ines@mail.example\nDate: 3 May\nSubject: Broken\n\nOrder QX-48213.', 'friendly'],
    ['この返信を下書きして：「注文QX-48213が届きません。ines@mail.exampleに連絡してください」', 'friendly'],
  ].map(
    ([asked, passed]): DetectorRow => ({
      name: `silent: the user does not want the value to be used: ${asked!.replaceAll('\n', ' ')}`,
      trace: service([`tool do ${JSON.stringify({ value: passed })} -> "ok"`], { asked, answer: 'It is done.' }),
      silent: true,
    }),
  ),
  ...[
    'Send the minutes to ann@firm.example and bob@firm.example.',
    'Send the minutes to ann@firm.example, bob@firm.example.',
    'Schick das Protokoll an ann@firm.example und an bob@firm.example.',
    'Send the minutes to:\n- ann@firm.example\n- bob@firm.example',
  ].map(
    (asked): DetectorRow => ({
      name: `unused_value: one value of a list was used: ${asked.replaceAll('\n', ' ')}`,
      trace: service(['tool send {"to":"ann@firm.example"} -> "sent"'], { asked, answer: 'It is done.' }),
      fires: [{ subtype: 'unused_value', severity: 'warning', text: 'The user gave "bob@firm.example" at step 0' }],
    }),
  ),
  ...[
    "Don't forget to send the minutes to ida@example.org.",
    'I have not received my order, please write to ida@example.org.',
    'I don’t see the parcel. Send the minutes to ida@example.org.',
    'Send the minutes to "ida@example.org", please.',
    'Hello, please send the minutes to ida@example.org.',
    'Do it now: send the minutes to ida@example.org.',
  ].map(
    (asked): DetectorRow => ({
      name: `unused_value: the user wants the value to be used: ${asked}`,
      trace: service(undefined, { asked }),
      fires: [{ subtype: 'unused_value', severity: 'warning', text: 'The user gave "ida@example.org" at step 0' }],
    }),
  ),
  {
    name: 'silent: the user gave another value that was used',
    trace: `
user "Cancel booking QX-48213."
agent clerk
llm gpt-4o -> "Please tell me the number again."
user "Sorry, it is QX-48312."
tool cancel {"id":"QX-48312"} -> "cancelled"
llm gpt-4o -> "It is cancelled."`,
    silent: true,
  },
  {
    name: 'silent: another agent may have used the value',
    trace: `${service()}\nagent editor\nllm gpt-4o -> "I read it again."`,
    silent: true,
  },
  {
    name: 'silent: work with commands',
    trace: service(['tool bash {"command":"ls -la docs"} -> "guide.md"'], {
      asked: 'Repair the guide, as ida@example.org asked.',
    }),
    silent: true,
  },
  {
    name: 'silent: a message with more values than a request has',
    trace: service(undefined, {
      asked: `Which of these is the newest: ${[1, 2, 3, 4, 5, 6, 7].map((n) => `QX-4821${n}`).join(', ')}?`,
    }),
    silent: true,
  },
  {
    name: 'silent: a long report',
    trace: service(undefined, { asked: `${'The pump was noisy. '.repeat(80)} Signed: ida@example.org` }),
    silent: true,
  },
  {
    name: 'silent: dates, units and versions are no identifiers',
    trace: service(undefined, {
      asked: 'Which offers are there after 2024-05-19 10:30am under 1200usd, mid-2009 style?',
    }),
    silent: true,
  },
  {
    name: 'silent: arguments are not recorded',
    trace: service(['tool cancel "" -> "done"']),
    silent: true,
    isPrefixInvariant: false,
  },
  {
    name: 'silent: records of the run were rejected',
    trace: `${service()}\nrejected {"count":1,"afterStep":0,"isEndMissing":false}`,
    silent: true,
  },
  { name: 'not applicable without text', trace: '', notApplicable: true },
];

testDetector(contextNeglect, rows, { readme: new URL('./README.md', import.meta.url) });
