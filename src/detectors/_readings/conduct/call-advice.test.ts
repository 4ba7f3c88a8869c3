import { expect, test } from 'vitest';
import { parseTrace } from '../../_testing/notation.ts';
import { toolUses } from '../calls/calls.ts';
import { callAdvice } from './call-advice.ts';

/** The advice on the last call of a trace. */
function adviceOn(text: string) {
  const trace = parseTrace(`agent baker\n${text}`);
  return callAdvice(trace, toolUses(trace).at(-1)!);
}

const OFFERED =
  'offers heat_oven {"type":"object","properties":{"celsius":{"type":"integer"}},"required":["celsius"]}\noffers weigh_flour {"type":"object"}\n';

test.each<[string, string, string]>([
  [
    'an undeclared tool with a name similar to a declared one',
    `${OFFERED}tool heat_the_oven {"celsius":200} !! no tool of this name`,
    'Declare heat_the_oven for baker, or have it call heat_oven: heat_the_oven is not among the 2 declared tools.',
  ],
  [
    'a required argument that the call omits',
    `${OFFERED}tool heat_oven {"level":3} !! rejected`,
    'Have baker pass celsius to heat_oven, and reject calls that its schema does not allow before they run: the schema requires celsius, and the call at step 0 passes level.',
  ],
  [
    'an argument of another type than declared',
    `${OFFERED}tool heat_oven {"celsius":"very hot"} !! rejected`,
    'Have baker pass celsius to heat_oven as the schema declares it ({"type":"integer"}): at step 0 it is string, not integer.',
  ],
  [
    'a field that only the error calls required',
    'tool order_yeast {"grams":40} flag error -> "1 validation error for Order\\nsupplier_id\\n  Field required"',
    'Have baker pass supplier_id to order_yeast, and mark it as required in the schema: the result at step 0 is "1 validation error for Order supplier_id Field required".',
  ],
  [
    'an argument that the error quotes',
    `tool order_yeast {"grams":-4} !! "grams" has to be positive`,
    'Correct grams in the call of order_yeast, and describe in its schema which values it takes: step 0 passed -4, and the result is ""grams" has to be positive".',
  ],
  [
    'a text that an error demands of an argument',
    `tool print_label {"crate":"rye"} !! The first line of the label must be '*** Begin Label'`,
    'Have baker send print_label a text that has "*** Begin Label", as the error demands, or not call it: step 0 passed {"crate":"rye"}, which does not have it.',
  ],
  [
    'the beginning that an error demands of an argument',
    `tool print_label {"crate":"rye"} !! a label must start with "L-"`,
    'Have baker send print_label a text that has "L-", as the error demands',
  ],
  [
    'a text that an error demands and the call passes',
    `tool print_label {"crate":"*** Begin Label"} !! The first line of the label must be '*** Begin Label'`,
    'Find the cause in print_label and its log: step 0 passed {"crate":"*** Begin Label"}',
  ],
  [
    'a state that an error demands of something else',
    `tool cancel_order {"order":"W-7"} !! the state of the order must be 'open'`,
    'Find the cause in cancel_order and its log: step 0 passed {"order":"W-7"}',
  ],
  [
    'a program that the shell cannot find',
    'tool bash {"command":"sifter --fine flour.txt"} exit 127 -> "/bin/sh: 1: sifter: not found"',
    'Have baker replace "sifter" in its command, or install it where bash runs: step 0 shows that there is no such program.',
  ],
  [
    'a program that zsh cannot find',
    'tool bash {"command":"sifter --fine flour.txt"} exit 127 -> "zsh: command not found: sifter"',
    'Have baker replace "sifter" in its command',
  ],
  [
    'text that the shell runs as a program',
    'tool bash {"command":"ls\\nThe flour is there."} exit 127 -> "bash: line 2: The: command not found"',
    'Have baker send bash the command alone: at step 0 "The" is run as a program',
  ],
  [
    'text with punctuation that the shell runs as a program',
    'tool bash {"command":"Well done! ls"} exit 127 -> "bash: line 1: done!: command not found"',
    'at step 0 "done!" is run as a program',
  ],
  [
    'a sentence that begins with a lower-case letter',
    'tool bash {"command":"to bake more bread today ls"} exit 127 -> "bash: line 1: to: command not found"',
    'at step 0 "to" is run as a program',
  ],
  [
    'a sentence with an apostrophe',
    `tool bash {"command":"Great! I'm glad that the bread is done."} exit 2 -> "/bin/bash: -c: line 1: unexpected EOF while looking for matching \`''"`,
    `Have baker send bash the command alone: at step 0 the apostrophe in "I'm" begins a quotation that does not end, so the call contains text that is not a command.`,
  ],
  [
    'a sentence with an apostrophe in another shell',
    `tool bash {"command":"Sorry, there isn't any flour."} exit 2 -> "/bin/sh: 1: Syntax error: Unterminated quoted string"`,
    'Have baker send bash the command alone: at step 0 the apostrophe in "isn\'t"',
  ],
  [
    'a command with an apostrophe in its text',
    `tool bash {"command":"echo there isn't any flour"} exit 2 -> "/bin/bash: -c: line 1: unexpected EOF while looking for matching \`''"`,
    'Have baker correct the command of step 0 for',
  ],
  [
    'a command inside a code fence',
    'tool bash {"command":"```sh\\nls shelf\\n```"} exit 127 -> "bash: line 3: sh1: command not found"',
    'Have baker send bash the command without the ``` around it, or remove them before it runs: at step 0 they make the shell run "sh1" as a program.',
  ],
  [
    'a command that its own quote ends early',
    `tool bash {"command":"awk '{print \\"g \\"$1}' flour.txt"} exit 2 -> "$1}' flour.txt: -c: line 1: unexpected EOF while looking for matching"`,
    `the shell reports "$1}' flour.txt", a part of the command of step 0, as its own name, so a " in the command ended it early. Until then, have baker write it without ".`,
  ],
  [
    'code that contains backslash-n in place of line breaks',
    'tool run_file {"file":"oven.py"} flag error -> "File \\"oven.py\\", line 1\\n  import oven\\\\nprint(oven)\\n  ^\\nSyntaxError: unexpected character after line continuation character"',
    'Have baker send the code with line breaks, or decode them before run_file runs it: the line that step 0 shows contains "\\n" as text, so the code was escaped once too often.',
  ],
  [
    'code whose line breaks are missing',
    'tool python "import oven def bake(x): return x" -> "Traceback (most recent call last):\\nSyntaxError: invalid syntax (line 1)"',
    'Have baker write one statement per line: the code of step 0 is a single line with several statements, and python returns "SyntaxError: invalid syntax (line 1)".',
  ],
  [
    'a name that a list inside the command prints without its folder',
    'tool bash {"command":"cat $(ls -t /srv/shelf | head -1)"} exit 1 -> "cat: starter.txt: No such file or directory"',
    'Have baker put /srv/shelf/ before the name that ls prints: the command of step 0 uses a name that ls /srv/shelf prints, without the folder, so it does not look for "starter.txt" in /srv/shelf.',
  ],
  [
    'such a name in a command with other text',
    'tool bash {"command":"Answer `cat $(ls /srv/shelf)`"} exit 1 -> "cat: starter.txt: No such file or directory\\nbash: Answer: command not found"',
    'Have baker send bash the command alone, and put /srv/shelf/ before the name that ls prints: the command of step 0 uses a name that ls /srv/shelf prints, without the folder, so it does not look for "starter.txt" in /srv/shelf, and "Answer" is run as a program.',
  ],
  [
    'a path whose name an earlier result shows elsewhere',
    'tool bash {"command":"ls shelf"} -> "shelf/rye/starter.txt"\ntool bash {"command":"cat shelf/starter.txt"} exit 1 -> "cat: shelf/starter.txt: No such file or directory"',
    'Have baker use shelf/rye/starter.txt, which step 0 shows: shelf/starter.txt does not exist (step 1).',
  ],
  [
    'a path that no result shows',
    'tool bash {"command":"cat shelf/starter.txt"} exit 1 -> "cat: shelf/starter.txt: No such file or directory"',
    'Have baker list shelf before it uses shelf/starter.txt: step 0 shows that this path does not exist.',
  ],
  [
    'a pattern whose word the task writes in other letter case',
    'task "Copy all Rye recipes."\ntool bash {"command":"cp shelf/*rye* jar"} exit 1 -> "cp: cannot stat \'shelf/*rye*\': No such file or directory"',
    'step 0 shows that no file has a name of this pattern, and the task writes "Rye".',
  ],
  [
    'a pattern that matches no file: its folder may exist',
    'tool bash {"command":"cp shelf/*rye* jar"} exit 1 -> "cp: cannot stat \'shelf/*rye*\': No such file or directory"',
    'Have baker list shelf before it uses shelf/*rye*: step 0 shows that no file has a name of this pattern.',
  ],
  [
    'a pattern that covers one folder of the tree that the task asks for',
    'task "Copy all recipes under shelf."\ntool bash {"command":"cp shelf/*.txt jar"} exit 1 -> "cp: cannot stat \'shelf/*.txt\': No such file or directory"',
    "no file has a name of this pattern. The task asks for the folders below it, too, which this pattern does not cover: `find shelf -name '*.txt'` searches them.",
  ],
  [
    'the requested name in quotation marks, and without them among the names that the answer offers',
    `tool find_recipe "Brioche" -> "No recipe [\\"Brioche\\"]. Similar: ['Brioche', 'Challah']"`,
    'Have baker pass `Brioche` without quotation marks, or remove them before find_recipe runs: the result of step 0 shows the name in quotation marks and offers it without them, so find_recipe takes the marks for a part of the name.',
  ],
  [
    'the requested name among the names that the answer offers',
    `tool find_recipe {"title":"Brioche"} -> "No recipe 'Brioche'. Similar: ['Brioche', 'Challah']"`,
    'Check how find_recipe looks up a name: the result of step 0 says that "Brioche" was not found, and offers the same name. Until then, have baker pass one of the other names in that result ("Challah").',
  ],
  [
    'other names in the answer',
    `tool find_recipe {"name":"Brioche"} -> "Nothing under \\"Brioche\\". There are 'Brioche tressée' and 'Brioche (1902)'."`,
    'Have baker pass one of the other names in the result of find_recipe ("Brioche tressée", "Brioche (1902)") instead of "Brioche".',
  ],
  [
    'a check of a function that the code does not define',
    'tool python "def bake(x):\\n    return x" -> "Test: assert knead(2) == 4 does not hold"',
    'Give baker the name knead in its task: the failed check calls knead, and the code of step 0 does not define it',
  ],
  [
    'code of which only a part ran',
    `tool python "def bake(x):\\n    return x\\n\\nbake(3)" -> "Traceback (most recent call last):\\n  File \\"a.py\\", line 1, in <module>\\n    bake(3)\\nNameError: name 'bake' is not defined"`,
    'Let python run the code blocks of a message as one program, or have baker send a single block: the code of step 0 defines bake, but what ran has "bake(3)" at line 1, without the definition.',
  ],
  [
    'a bare answer next to another failure',
    'tool python "def bake(x):\\n    return x" exit 2 -> "TESTS FAILED, once more\\n\\nsifter: no file \'oven.py\': [Errno 2] No such file or directory"',
    'The same result contains another failure ("sifter: no file \'oven.py\': [Errno 2] No such file or directory"): have baker correct it, too.',
  ],
  [
    'an exception in code',
    'tool python "total = oven(3)\\nprint(total)" -> "Traceback (most recent call last):\\n  File a.py, line 1\\nNameError: name oven is not defined"',
    'Have baker correct the code of step 0 for "NameError: name oven is not defined".',
  ],
  [
    'a message of the program that the command calls',
    'tool bash {"command":"grep -q flour"} exit 2 -> "grep: pattern and no file"',
    'Have baker correct the command of step 0 for "grep: pattern and no file".',
  ],
  [
    'an earlier version of the command that worked',
    'tool bash {"command":"ls -l shelf | sort -n"} exit 0 -> "rye.txt"\ntool bash {"command":"ls -l shelf | sort -q"} exit 2 -> "sort: no such option"',
    'Have baker return to the call of step 0, which worked, and make a different change: since then "ls -l shelf | sort -n" became "ls -l shelf | sort -q", and step 1 returned "sort: no such option".',
  ],
  [
    'a failed check of the work',
    'tool bash {"command":"./check"} exit 1 -> "AssertionError: 3 loaves, not 4"',
    'Have baker repair what step 0 shows ("AssertionError: 3 loaves, not 4") before it runs the same command again.',
  ],
  [
    'a verdict on code without a place or a value',
    'tool judge "def bake(x):\\n    return x" -> "exitcode: 0 (done)\\nCode output:\\nNot all loaves rose. Once more!"',
    'Let judge return the case that failed, with its expected and actual value: "Not all loaves rose. Once more!" names no place or value that baker could correct.',
  ],
  [
    'a verdict above the message of a program',
    'tool judge "def bake(x):\\n    return x\\npython oven.py" -> "exitcode: 2 (failed)\\nCode output: \\nNot all loaves rose. Once more!\\npython: no such file: oven.py"',
    'Let judge return the case that failed, with its expected and actual value: "Not all loaves rose. Once more!"',
  ],
  [
    'a tool that rejects its arguments without naming one',
    'tool post_order {"loaf":"rye"} !! the order has to begin with a date',
    'Have baker correct the arguments of post_order: step 0 passed {"loaf":"rye"}, and the result is "the order has to begin with a date".',
  ],
  [
    'other options of a command that worked',
    'tool bash {"command":"du -s shelf"} exit 0 -> "40 shelf"\ntool bash {"command":"du -q shelf"} exit 1 -> "du: invalid option -- q"',
    'since then "du -s shelf" became "du -q shelf", and step 1 returned "du: invalid option -- q".',
  ],
  [
    'other operands of a command that worked are no other version of it',
    'tool bash {"command":"du -s shelf"} exit 0 -> "40 shelf"\ntool bash {"command":"du -q jar"} exit 1 -> "du: invalid option -- q"',
    'Have baker correct the command of step 1 for "du: invalid option -- q".',
  ],
  [
    'arguments that neither the task nor an earlier step contains',
    'user "Good morning."\ntool post_order {"loaf":"rye"} !! the order has to begin with a date',
    'and the result is "the order has to begin with a date". Neither the task nor an earlier step contains "rye": have baker ask for what it needs, or leave the call out.',
  ],
  [
    'output that goes to a file',
    'tool bash {"command":"sort orders.txt > sorted.txt"} exit 0 -> ""',
    'Have baker print sorted.txt after it is written: the command of step 0 sends its output there, and bash returned nothing.',
  ],
  [
    'an empty list',
    'tool find_recipe {"name":"Brioche"} -> []',
    'Let find_recipe return a message that says whether it found nothing',
  ],
  [
    'the notation of several calls in one argument',
    'tool find "Rye bread], Find[Spelt bread" -> "Nothing is there under this name."',
    'Have baker call find once for each value, or split them before the call: the argument at step 0 contains 2 calls (Rye bread], Find[Spelt bread).',
  ],
  [
    'a command that prints its own text',
    'tool bash {"command":"echo \\"All is baked\\""} exit 0 -> "All is baked"',
    'Give baker a call or an answer that ends the run: the command of step 0 only prints "All is baked", which is part of the command.',
  ],
  [
    'a text that the command prints itself when it fails',
    'tool bash {"command":"mv a b 2>/dev/null || echo Could not move"} exit 0 -> "Could not move"',
    'Have baker run the command of step 0 without `2>/dev/null` and its own fallback: "Could not move" is the text that it prints on failure',
  ],
  [
    'an answer that other arguments also received',
    'tool find_recipe {"name":"Stollen"} -> "There is no such page."\ntool find_recipe {"name":"Brioche"} -> "There is no such page."',
    'Have baker pass find_recipe a value that an earlier result shows, or use another tool: "There is no such page." is also what {"name":"Stollen"} got at step 0.',
  ],
  [
    'a structured result without items',
    'tool find_recipe {"name":"Stollen"} -> {"recipes":[],"total":0}',
    'tell baker that its first call (step 0) found nothing ({"recipes":[],"total":0}), and ask for other arguments, another tool, or the answer that nothing was found.',
  ],
  [
    'a structured result with a flag',
    'tool set_oven {"celsius":180} -> {"done":true,"warnings":[]}',
    'refer baker to the result of step 0',
  ],
  [
    'a result',
    'tool read_scale {"id":3} -> "440 g"',
    'When baker repeats the call of read_scale, do not run it: refer baker to the result of step 0 (440 g)',
  ],
])('%s', (_, text, action) => {
  expect(adviceOn(text).action).toContain(action);
});

test.each<[string, string, string]>([
  [
    'a single declared tool may be an incomplete list',
    'offers weigh_flour {"type":"object"}\ntool heat_oven {"celsius":200} !! the oven is off',
    'failure',
  ],
  [
    'a tool that works in another step of the run exists',
    `${OFFERED}tool knead {"m":1} -> "ok"\ntool knead {"m":2} !! the hook is stuck`,
    'failure',
  ],
  [
    'a shell that reports itself by its own name',
    'tool bash {"command":"echo \\"bash\\" ("} exit 2 -> "bash: -c: line 1: unexpected EOF"',
    'failure',
  ],
  ['a single line of one statement', 'tool python "x = = f(2)" -> "SyntaxError: invalid syntax (line 1)"', 'failure'],
  ['a value that code printed is a result', 'tool python "x = f(2)\\nprint(x)" -> "44"', 'result'],
  [
    'a lookup that quotes only the requested name',
    'tool find_recipe {"name":"Rye"} -> "Nothing under \\"Rye\\"."',
    'result',
  ],
  ['a bare answer of a command is its output', 'tool bash {"command":"cat note"} exit 0 -> "buy more flour"', 'result'],
])('near miss: %s', (_, text, kind) => {
  expect(adviceOn(text).obstacle.kind).toBe(kind);
});

test('a call with the id of another record is not a version of the earlier call', () => {
  const action = adviceOn(
    'tool close_order {"state":"closed","order":"1"} -> "order 1 is closed"\ntool close_order {"state":"closed","order":"2"} !! no order with this number',
  ).action;
  expect(action).not.toContain('return to the call');
  expect(action).toContain('check that what it requests from close_order exists');
});

test('the words of a composed query need no origin', () => {
  const call = (query: string) => `user "Good morning."\ntool web_search {"query":"${query}"} !! the params are empty`;
  expect(adviceOn(call('rye')).action).toContain('Neither the task nor an earlier step contains "rye"');
  expect(adviceOn(call('recipes for rye bread')).action).not.toContain('Neither the task');
});

test.each<[string, string, { title: string; description: string }]>([
  [
    'an action with a reason',
    'tool bash {"command":"sifter --fine flour.txt"} exit 127 -> "/bin/sh: 1: sifter: not found"',
    {
      title: 'Have baker replace "sifter" in its command, or install it where bash runs',
      description: 'Step 0 shows that there is no such program.',
    },
  ],
  [
    'an action without one',
    'tool order_yeast {"grams":40} -> ""',
    {
      title: 'Return a message if nothing is found',
      description:
        'Let order_yeast return a message that says whether it found nothing or is done if its result is empty, as at step 0, and have baker accept that result.',
    },
  ],
])('the title of the fix and its description say different things: %s', (_case, text, heading) => {
  expect(adviceOn(text).fix).toMatchObject(heading);
});
