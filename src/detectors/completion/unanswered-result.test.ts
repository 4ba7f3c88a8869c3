import { expect, it } from 'vitest';
import { parseTrace } from '../_testing/notation.ts';
import { unansweredResult } from './unanswered-result.ts';

/** Without a message of the user, the run has a question as its task. */
const verdictOn = (text: string) =>
  unansweredResult(parseTrace(text.includes('user "') ? text : `task "Where is it now?"\n${text}`));

/** A look-up that the model asks for, as its protocol writes it, and its result. */
const asked = (query: string) => `llm gpt-4o -> "" calls search {"q":"${query}"}
tool search {"q":"${query}"} -> ["${query} street 4"]`;
const written = (query: string) => `llm m -> "Thought: next.\\nAction: Search[${query}]"
tool search "${query}" -> "${query} lies north of the canal"`;

it('reports the last result if the model continued after the earlier ones', () => {
  const verdict = verdictOn(`agent clerk\n${asked('bakery')}\n${asked('mill')}\n${asked('harbour')}`);
  expect(verdict).toMatchObject({ subtype: 'result_unanswered', step: 5, steps: [5, 3], agent: 'clerk' });
  expect(verdict!.explanation).toContain('each of the 2 earlier results of search');
});

it('reads calls that are written as text, in any language', () => {
  expect(verdictOn(`agent clerk\n${written('bakery')}\n${written('mill')}`)).toMatchObject({ step: 3 });
  const german = (query: string) => `llm m -> "Gedanke: weiter.\\nAktion: search\\nEingabe: ${query}"
tool search "${query}" -> "${query} am Kanal"`;
  expect(verdictOn(`agent helfer\n${german('Mühle')}\n${german('Hafen')}`)).toMatchObject({ step: 3 });
});

it('a run may end with the output of a command', () => {
  const ran = (command: string) => `llm m -> "" calls bash {"command":"${command}"}
tool bash {"command":"${command}"} -> "3 files"`;
  expect(
    verdictOn(`user "How many files are there?"\nagent dev\n${ran('ls -la src')}\n${ran('ls src | wc -l')}`),
  ).toBeNull();
});

it('reads formats that do not record which calls a model requests', () => {
  const turns = `${asked('bakery')}\n${asked('mill')}`.replaceAll('-> ""', '-> "I look."').replace(/ calls .*$/gm, '');
  expect(verdictOn(`agent clerk\n${turns}`)).toMatchObject({ subtype: 'result_unanswered', step: 3 });
});

it.each([
  ['the message of the user', 'user "Where are the shops?"'],
  ['a greeting of the model', 'llm gpt-4o -> "Welcome, what are you looking for?"'],
])('takes the first turn of a conversation for no answer: %s', (_, first) => {
  const turns = `${asked('bakery')}\n${asked('mill')}`.replace(/^/gm, '  ');
  expect(verdictOn(`agent clerk\n${first}\n${turns}`)).toMatchObject({ subtype: 'result_unanswered', step: 4 });
});

it.each([
  [
    'an answer follows',
    `agent clerk\n${asked('bakery')}\n${asked('mill')}\nllm gpt-4o -> "The mill is in mill street 4."`,
  ],
  ['the tool was called once: the workflow may end on it', `agent clerk\n${asked('bakery')}`],
  ['the run is not finished', `running\nagent clerk\n${asked('bakery')}\n${asked('mill')}`],
  [
    'the answer is in the outermost span only',
    `agent clerk\nfinal "Mill street 4."\n${asked('bakery')}\n${asked('mill')}`,
  ],
  [
    'the answer is in the span around the calls',
    `agent clerk\nspan run -> "Mill street 4."\n${`${asked('bakery')}\n${asked('mill')}`.replace(/^/gm, '  ')}`,
  ],
  [
    'the tool submits the answer, at the second attempt',
    `agent clerk
llm m -> "" calls submit_answer {"text":"4"}
tool submit_answer {"text":"4"} -> "give the street too"
llm m -> "" calls submit_answer {"text":"mill street 4"}
tool submit_answer {"text":"mill street 4"} -> "accepted"`,
  ],
  [
    'the last call is an act in a shop, whose pages the agent read before',
    `agent clerk
llm m -> "" calls click {"target":"B07"}
tool click {"target":"B07"} -> "Microphone, 49.00. [Buy]"
llm m -> "" calls click {"target":"Buy"}
tool click {"target":"Buy"} -> "Your order of one microphone is confirmed. It arrives on Tuesday."`,
  ],
  [
    'the user asked for an act, and the results are short',
    `user "Take the lamp to shelf 2."
agent rover
llm m -> "" calls go {"to":"desk 1"}
tool go {"to":"desk 1"} -> "On the desk 1, you see a lamp."
llm m -> "" calls go {"to":"shelf 2"}
tool go {"to":"shelf 2"} -> "You stand at the shelf with the lamp in your hand."`,
  ],
  [
    'an executor runs the code of each message, and its success ends the chat',
    `agent coder
llm m -> "\`\`\`python\\nprint(1)\\n\`\`\`"
agent runner
tool python "print(1)" -> "1 of 2 passed"
agent coder
llm m -> "\`\`\`python\\nprint(2)\\n\`\`\`"
agent runner
tool python "print(2)" -> "2 of 2 passed"`,
  ],
  [
    'an executor of the same name runs the command of each message',
    `agent coder
llm m -> "ls /srv"
tool bash "ls /srv" -> "notes.txt"
llm m -> "cat /srv/notes.txt"
tool bash "cat /srv/notes.txt" -> "milk"`,
  ],
  [
    'an executor of the same name runs the code of each message',
    `agent coder
llm m -> "def f(a):\\n    return a"
tool run {"code":"def f(a):\\n    return a"} -> "1 of 2 passed"
llm m -> "def f(a):\\n    return 2 * a"
tool run {"code":"def f(a):\\n    return 2 * a"} -> "2 of 2 passed"`,
  ],
  [
    'the workflow runs the last step by itself',
    `agent clerk\n${asked('bakery')}\nllm gpt-4o -> "I have it."\ntool search {"q":"archive"} -> "stored"`,
  ],
])('is silent: %s', (_, text) => {
  expect(verdictOn(text)).toBeNull();
});

it('suggests other queries if most results of the tool are empty', () => {
  const missed = (query: string) =>
    `llm m -> "Thought: next.\\nAction: Search[${query}]"\ntool search "${query}" -> "There is no page on [${query}]. Others: mill"`;
  const verdict = verdictOn(`agent clerk\n${missed('bakery')}\n${missed('old bakery')}\n${missed('bakery town')}`);
  expect(verdict!.explanation).toContain(
    'All 3 results of search begin with "There is no page on [" (steps 1, 3 and 5).',
  );
  expect(verdict!.suggestedAction).toContain(
    'search for something else after the second result "There is no page on […" of search.',
  );
});

it('says how to correct a call whose argument contains further calls', () => {
  const query = 'bakery], Search[mill], Search[harbour';
  const glued = `llm m -> "Action: Search[${query}]"\ntool search "${query}" -> "No such page, please try again."`;
  const verdict = verdictOn(`agent clerk\n${written('canal')}\n${glued}\n${glued}`)!;
  expect(verdict.explanation).toContain(
    '2 of the 3 results of search are "No such page, please try again." (steps 3 and 5).',
  );
  expect(verdict.explanation).toContain('Step 3 already passed several calls in one argument.');
  expect(verdict.step).toBe(3);
  expect(verdict.suggestedAction).toMatch(/3 calls/);
});

it('names the results that the answer can be given from, without those that found nothing', () => {
  const found = (tool: string, query: string, result: string) =>
    `llm m -> "Action: ${tool}[${query}]"\ntool ${tool} "${query}" -> "${result}"`;
  const verdict = verdictOn(`agent clerk
${found('search', 'mill', 'The mill stands north of the canal, beside the old lock and the ferry house.')}
${found('lookup', 'owner', 'No Results')}
${found('lookup', 'built', 'No Results')}
${found('lookup', 'lock', '(Result 1 of 1) The lock was built two years before the mill, by the same family.')}`)!;
  expect(verdict.suggestedAction).toContain('answer from the results of search (step 1) and lookup (step 7).');
});

it('names what the results offer and no call requested', () => {
  const missed = (query: string, names: string) =>
    `llm m -> "Action: Search[${query}]"\ntool search "${query}" -> "No page [${query}]. Near: [${names}]"`;
  const verdict = verdictOn(`agent clerk
${missed('old mill', "'Mill Lane', 'Windmill'")}
${missed('Mill Lane', "'Mill Road', 'Windmill'")}
${missed('Mill Lane', "'Mill Road', 'Windmill'")}`)!;
  expect(verdict.explanation).toContain('The call at step 5 is equal to the one at step 3.');
  expect(verdict.suggestedAction).toContain(
    'Have clerk request one of the names that the results of search list and that it never requested (steps 1 and 3), for example "Windmill", "Mill Road".',
  );
  expect(verdict).toMatchObject({ step: 1, steps: [1, 5, 3] });
  expect(verdict.explanation).toContain('Step 1 already lists "Windmill", which the run never requests.');
});

it('says that the queries of the failed look-ups only add words to the same start', () => {
  const verdict = verdictOn(`agent clerk
${similar('old mill', "'Mill Lane', 'Windmill'")}
${similar('old mill owner', '')}
${similar('old mill family', '')}`)!;
  expect(verdict.explanation).toContain(
    'All 3 results of search begin with "No page [" (steps 1, 3 and 5). The queries of these steps all begin with "old mill" and differ only in the words after it.',
  );
});

/** A search that repeats its query and lists similar titles. */
const similar = (query: string, names: string, echo = query) =>
  `llm m -> ${JSON.stringify(`Action: Search[${echo}]`)}\ntool search ${JSON.stringify(query)} -> ${JSON.stringify(`No page [${echo}]. Near: [${names}]`)}`;

it('says that queries are in quotation marks if a result lists the same title without them', () => {
  const verdict = verdictOn(`agent clerk
${similar('"Mill" by Ros', "'Mill (song)', 'Ros'")}
${similar('Mill (song)', "'Mill (song)', 'Mill'", '"Mill (song)"')}
${similar('Mill', "'Mill', \"Ros's mill\"", '"Mill"')}`)!;
  expect(verdict.explanation).toContain('All 3 results of search begin with "No page [" (steps 1, 3 and 5).');
  expect(verdict.explanation).toContain(
    'The queries at steps 3 and 5 are in quotation marks, and the results at steps 3 and 5 list the requested names without them (`Mill (song)`, `Mill`): search takes the quotation marks for a part of the name.',
  );
  expect(verdict.step).toBe(3);
  expect(verdict.suggestedAction).toMatch(
    /^Have clerk request `Mill \(song\)` again without quotation marks, or remove them before search runs\./,
  );
});

it('advises to repeat queries without quotation marks if no result lists the title', () => {
  const verdict = verdictOn(
    `agent clerk\n${similar('Old mill', '', '"Old mill"')}\n${similar('Mill lane', "'Lane', 'Old Mill Lane'", '"Mill lane"')}`,
  )!;
  expect(verdict.explanation).toContain('are in quotation marks, which search may take for a part of the name.');
  expect(verdict.suggestedAction).toMatch(/^Have clerk repeat the queries without quotation marks, then request one/);
});

it('names titles with apostrophes in full, and those that share words with the queries', () => {
  const verdict = verdictOn(
    `agent clerk\n${similar('Ros mill', `'Harbour', "Ros's old mill (1902)", 'Mill "Ros"'`)}\n${similar('Ros mill song', "'Harbour'")}`,
  )!;
  expect(verdict.suggestedAction).toContain(
    '(step 1), for example "Ros\'s old mill (1902)", "Mill "Ros"". If the step limit',
  );
});

it('does not advise to answer from a result without the words of the failed queries', () => {
  const verdict = verdictOn(`agent clerk
${similar('Hanna Brek', "'Mill', 'Town of Brekum'")}
${similar('Hanna Brek mill', '')}
${written('mills in general, as they were built along the canals of the north')}`)!;
  expect(verdict.explanation).toContain('2 of the 3 results of search begin with "No page [" (steps 1 and 3).');
  expect(verdict.suggestedAction).toMatch(/never requested \(step 1\).*have it say what is missing\.$/);
});

it('the fix answers from the results that the advice names, not from look-ups that found nothing', () => {
  const missed = (query: string) =>
    `llm m -> "" calls lookup {"q":"${query}"}\ntool lookup {"q":"${query}"} -> "No Results"`;
  const { suggestedAction, fix } = verdictOn(
    `agent clerk\n${asked('bakery')}\n${asked('mill')}\n${missed('harbour')}\n${missed('pier')}`,
  )!;
  const source = /have it ([^.]+)\.$/.exec(suggestedAction)![1]!;
  expect(fix.description).toContain(source);
  expect(fix.description).not.toContain('lookup');
});

const threeCalls = (tool: string, request: string, results: readonly [string, string, string]) =>
  unansweredResult(
    parseTrace(
      `user ${JSON.stringify(request)}\nagent clerk\n${results.map((result, at) => `llm m -> "" calls ${tool} {"at":"${at}"}\ntool ${tool} {"at":"${at}"} -> ${result}`).join('\n')}`,
    ),
  );
const RECEIPTS = ['{"listing":7001}', '{"listing":7002}', '{"listing":7003}'] as const;
const PRICES = ['[{"id":"A1","price":124}]', '[{"id":"A1","price":125}]', '[{"id":"A2","price":124}]'] as const;
const TOOLS = ['list_item', 'show_message', 'check_in', 'get_price', 'finde', 'buscar', '検索', 'q1'];

it.each(TOOLS)('is silent if the user asked for acts and %s returns receipts', (tool) => {
  expect(threeCalls(tool, 'Put the three lamps on the marketplace.', RECEIPTS)).toBeNull();
  expect(
    threeCalls(tool, 'Show it on all screens.', ['{"shown":true}', '{"shown":true}', '{"shown":true}']),
  ).toBeNull();
});

it.each(TOOLS)(
  'is certain if the user asked a question and %s returns data, and less if only one is the case',
  (tool) => {
    expect(threeCalls(tool, 'Which flight is cheaper?', PRICES)).toMatchObject({ score: 0.9 });
    expect(threeCalls(tool, 'Compare the prices', PRICES)).toMatchObject({ score: 0.5 });
    expect(threeCalls(tool, 'How warm is it?', ['{"c":12}', '{"c":14}', '{"c":9}'])).toMatchObject({ score: 0.62 });
  },
);

it.each([
  ['English', 'Which flight is cheaper?', 'Could you compare the prices?'],
  ['German', 'Welcher Flug ist günstiger?', 'Könntest du die Preise vergleichen?'],
  ['Spanish', '¿Qué vuelo es más barato?', '¿Puedes comparar los precios?'],
  ['French', 'Quel vol est le moins cher ?', 'Peux-tu comparer les prix ?'],
  ['Polish', 'Który lot jest tańszy?', 'Czy możesz porównać ceny?'],
  ['Russian', 'Какой рейс дешевле?', 'Можешь сравнить цены?'],
  ['Japanese', 'どの便が安いですか。', '値段を比較してくれますか。'],
  ['Chinese', '哪个航班更便宜？', '能比较一下价格吗？'],
])('a question weighs more than a polite request: %s', (_, question, request) => {
  expect(threeCalls('q1', question, PRICES)).toMatchObject({ score: 0.9 });
  expect(threeCalls('q1', request, PRICES)).toMatchObject({ score: 0.5 });
});

it('a question mark in an address is no question', () => {
  expect(threeCalls('q1', 'Post https://example.org/list?id=4 to the three rooms.', RECEIPTS)).toBeNull();
});
