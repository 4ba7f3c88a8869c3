import { type DetectorRow, testDetector } from '../_testing/tester.ts';
import { qualityGate } from './detector.ts';

const EDIT = 'tool edit_file {"path":"src/cart.py","new":"return total"} -> "ok"';
/** More than a few lines. */
const LONG_EDIT = `tool edit_file ${JSON.stringify({ path: 'src/cart.py', new: 'total += item.price\n'.repeat(40) })} -> "ok"`;
const SHELL = 'offers bash {"type":"object","properties":{"command":{"type":"string"}}}';
const LOOK = 'tool bash {"command":"ls"} -> "src\\ntests/test_cart.py"';
const DONE = 'llm gpt-4o 90/9 -> "The total is now computed from the list of items."';

/** A test run in which one test fails. */
const PDF =
  'tool bash {"command":"npm test"} -> "Tests: 2 failed, 140 passed\\n ✕ pdf export (no Chrome found)\\n ✕ pdf import (no Chrome found)"';
const DNS =
  'tool bash {"command":"pytest -q"} exit 1 -> "FAILED tests/test_net.py::test_dns - OSError: no network\\n1 failed, 8 passed in 1.1s"';

/** The same question to each, who answer one after another. */
function debate(answers: readonly string[], end: string): string {
  const turns = answers.map((answer, at) => {
    const text = JSON.stringify(`It comes to \\boxed{${answer}}.`);
    return `user "How many pears fit into eight boxes of five each?"\nagent ${'abc'[at]}\nllm gpt-4o -> ${text}`;
  });
  return [...turns, end].join('\n');
}

const ISSUE = 'task "The fare of a return trip is charged once. Expected: 2 x 30, shown: 30."';
const OPENED = 'tool open {"path":"ferry/fares/price.py"} -> "1: def price(trip):\\n2:   return trip.fare"';

/** A run that reads code and ends with the submission of this diff. */
function submits(diff: readonly string[], before = ''): string {
  return `${ISSUE}\nagent dev\n${OPENED}\n${before}\ntool submit -> ${JSON.stringify(diff.join('\n'))}`;
}

const newFile = (path: string) => [
  `diff --git a/${path} b/${path}`,
  'new file mode 100644',
  '--- /dev/null',
  `+++ b/${path}`,
  '@@ -0,0 +1 @@',
  '+print(price(trip))',
];
const changed = (path: string, removed: string, added: string) => [
  `diff --git a/${path} b/${path}`,
  `--- a/${path}`,
  `+++ b/${path}`,
  '@@ -1,2 +1,2 @@',
  ' def price(trip):',
  `-${removed}`,
  `+${added}`,
];

/** Commands that run the changed file, the project or its tests. */
const RUNS = [
  'pypy3 src/cart.py',
  'env X=1 python3 src/cart.py',
  'env -i PATH=/usr/bin python3 src/cart.py',
  'sudo -E python3 src/cart.py',
  'time python3 src/cart.py',
  'timeout 60 python3 src/cart.py',
  'timeout -k 5 60s pypy src/cart.py',
  'nohup pypy3 src/cart.py > out.log &',
  'xvfb-run -a pypy3 src/cart.py',
  'cd shop && PYTHONPATH=src pypy3 src/cart.py',
  '/opt/pypy/bin/pypy3.10 src/cart.py',
  'python -m src.cart',
  'py -3 src/cart.py',
  'coverage run src/cart.py',
  'ipython src/cart.py',
  'uv run src/cart.py',
  'uvx cart',
  'poetry run cart',
  'pipenv run cart',
  'conda run -n shop cart',
  'npx cart',
  'bunx cart',
  'deno run src/cart.ts',
  'go run ./cmd/cart',
  'cargo run',
  'dotnet run',
  'mvn -q package',
  './gradlew build',
  'gradle build',
  'make',
  'just cart',
  'docker run shop python src/cart.py',
  'docker compose exec web cart',
  'docker-compose run web cart',
  'ssh build.example.test "cd shop && cart"',
  'php src/cart.php',
  'perl src/cart.pl',
  'lua5.4 src/cart.lua',
  'ghci src/Cart.hs',
  'runghc src/Cart.hs',
  'Rscript src/cart.R',
  'julia --project src/cart.jl',
  'octave src/cart.m',
  'swift run',
  'kotlin cart.kts',
  'scala src/Cart.scala',
  'elixir src/cart.exs',
  'mix test',
  'rails runner src/cart.rb',
  'bundle exec cart',
  'tox',
  'nox',
  'bazel build //cart',
  'ctest',
  'newlang src/cart.py',
];
/** Commands that run nothing of the project. */
const READS = [
  'cat src/cart.py',
  'env',
  'env LC_ALL=C sort src/cart.py',
  'sudo cat src/cart.py',
  'wc -l src/cart.py',
  'git add src/cart.py',
  'cp src/cart.py /tmp/cart.bak',
  'black src/cart.py',
  'chmod +x src/cart.py',
  'julia --version',
  'which Rscript',
  'vim src/cart.py',
];

const rows: DetectorRow[] = [
  ...RUNS.map((command) => ({
    name: `nothing_run: silent after ${command}`,
    trace: `agent dev\n${LONG_EDIT}\ntool bash ${JSON.stringify({ command })} -> "3"\n${DONE}`,
    silent: true as const,
  })),
  ...READS.map((command) => ({
    name: `nothing_run: ${command} runs nothing`,
    trace: `agent dev\n${LONG_EDIT}\ntool bash ${JSON.stringify({ command })} -> "3"\n${DONE}`,
    fires: [{ subtype: 'nothing_run' as const, step: 0 }],
  })),
  {
    name: 'nothing_changed: every edit was rejected, and the work was submitted',
    trace: submits(
      [],
      'repeat 3\n  tool edit {"path":"ferry/fares/price.py","new":"retur 2 * trip.fare"} -> "The edit was not made.\\nSyntaxError: invalid syntax"',
    ),
    fires: [
      {
        subtype: 'nothing_changed',
        severity: 'critical',
        text: 'All 3 calls of edit (steps 1 to 3) were rejected ("SyntaxError: invalid syntax" at the last one): nothing was applied.',
        suggestion: 'the change of step 3 was rejected ("SyntaxError: invalid syntax") and has to be corrected',
      },
    ],
  },
  {
    name: 'nothing_changed: only tests were opened, so no file is named as the one to change',
    trace: `${ISSUE}\nagent dev\ntool open {"path":"ferry/tests/test_price.py"} -> "1: def test_price():\\n2:   assert True"\ntool submit -> ""`,
    fires: [
      {
        subtype: 'nothing_changed',
        text: 'The run opened only tests (ferry/tests/test_price.py at step 0) and no source file.',
        suggestion:
          'it opened only tests and no source file: it has to find the code that the task is about and change it',
      },
    ],
  },
  {
    name: 'nothing_changed: the run looked outside its working folder and gave up',
    trace: `${ISSUE}\nmessage user "(Working directory: /ferry)"\nagent dev\ntool bash {"command":"find / -name price.py"} -> "/harbour/tests/price.py"\nllm m -> "Without the file, I cannot change the price."\ntool submit -> ""`,
    fires: [
      {
        subtype: 'nothing_changed',
        step: 2,
        text: 'The run opened no source file; its calls and results name none in its working folder /ferry (step 0).',
        suggestion:
          'it has to find the code that the task is about in /ferry, its working folder (step 0), and change it.',
      },
    ],
  },
  {
    name: 'silent: one of the edits was applied, and the call that submits the work shows no diff',
    trace: submits(
      [],
      'tool edit {"path":"ferry/fares/price.py","new":"retur 2"} -> "E999 SyntaxError: invalid syntax"\ntool edit {"path":"ferry/fares/price.py","new":"return 2"} -> "Applied."\ntool run_tests -> "4 passed"',
    ),
    silent: true,
  },
  {
    name: 'only_new_files: only the trial script is submitted',
    trace: submits(newFile('reproduce_fare.py')),
    fires: [
      {
        subtype: 'only_new_files',
        step: 1,
        agent: 'dev',
        severity: 'critical',
        text: 'reproduce_fare.py',
        suggestion: 'opened ferry/fares/price.py (step 0) and changed nothing there: it has to change a file',
      },
    ],
  },
  ...['fare_bug_reproduction.py', 'replicate_bug.py', 'test_bug.py', 'tests/issue_412.py'].map(
    (path): DetectorRow => ({
      name: `only_new_files: only ${path} is submitted, whose words are in the task`,
      trace: `task "Bug: return fares are charged once. The reproduction of issue 412 is a test with two trips."
agent dev\n${OPENED}\ntool submit -> ${JSON.stringify(newFile(path).join('\n'))}`,
      fires: [{ subtype: 'only_new_files', step: 1, severity: 'critical', text: path }],
    }),
  ),
  ...['bug_report.py', 'replicate_tables.py', 'issue_tracker.py', 'bugs.py'].map(
    (path): DetectorRow => ({
      name: `silent: the task requests ${path} in words`,
      trace: `task "Add a script that writes the bug report and the bugs, replicates the tables, and reads the issue tracker."
agent dev\n${OPENED}\ntool submit -> ${JSON.stringify(newFile(path).join('\n'))}`,
      silent: true,
    }),
  ),
  ...['make sure you can reproduce the bug', 'make certain that the tests pass'].map(
    (advice): DetectorRow => ({
      name: `only_new_files: the prompt says how to work: ${advice}`,
      trace: `task "Bug: return fares are charged once. If it has code that shows the bug, run that to ${advice}. Re-run the bug reproduction script at the end."
agent dev\n${OPENED}\ntool submit -> ${JSON.stringify(newFile('bug_reproduction.py').join('\n'))}`,
      fires: [{ subtype: 'only_new_files', step: 1, severity: 'critical', text: 'bug_reproduction.py' }],
    }),
  ),
  {
    name: 'silent: the task requests a reproduction',
    trace: `task "Make a reproduction of the bug in ferry/fares/price.py."\nagent dev\n${OPENED}\ntool submit -> ${JSON.stringify(newFile('bug_reproduction.py').join('\n'))}`,
    silent: true,
  },
  {
    name: 'silent: the task requests a test of the bug',
    trace: `task "Add a regression test for the bug in ferry/fares/price.py."\nagent dev\n${OPENED}\ntool submit -> ${JSON.stringify(newFile('test_bug.py').join('\n'))}`,
    silent: true,
  },
  {
    name: 'silent: a trial script next to a changed file',
    trace: submits([...newFile('try_fare.py'), ...changed('ferry/fares/price.py', '  return trip.fare', '  return 2')]),
    silent: true,
  },
  {
    name: 'silent: the task names the new file',
    trace: `task "Add a script month_report.py that prints the fares."\nagent dev\n${OPENED}\ntool submit -> ${JSON.stringify(newFile('month_report.py').join('\n'))}`,
    silent: true,
  },
  {
    name: 'silent: the task contains the words of the file name',
    trace: `task "Write a report of each month to the screen."\nagent dev\n${OPENED}\ntool submit -> ${JSON.stringify(newFile('month_report.py').join('\n'))}`,
    silent: true,
  },
  {
    name: 'only_new_files: the run ends with finish, and its editing calls name trial files only',
    trace: `${ISSUE}
agent dev
tool str_replace_editor {"command":"view","path":"/repo/ferry/fares/price.py"} -> "def price(trip): return trip.fare"
tool str_replace_editor {"command":"create","path":"/repo/reproduce_fare.py","file_text":"print(price(trip))"} -> "created"
tool bash {"command":"python /repo/reproduce_fare.py"} -> "30"
tool finish {"message":"The return fare is right now."}`,
    fires: [{ subtype: 'only_new_files', step: 3, agent: 'dev', severity: 'critical', text: 'reproduce_fare.py' }],
  },
  ...[
    'tool str_replace_editor {"command":"str_replace","path":"/repo/ferry/fares/price.py","new_str":"2"} -> "edited"',
    'tool str_replace_editor {"command":"create","path":"/repo/ferry/fares/notes.txt","file_text":"2"} -> "created"',
    'tool bash {"command":"sed -i s/fare/fare*2/ /repo/ferry/fares/price.py"} -> ""',
  ].map(
    (edit): DetectorRow => ({
      name: `silent: a trial file, and ${edit.slice(5, 60)}`,
      trace: `${ISSUE}
agent dev
tool str_replace_editor {"command":"create","path":"/repo/reproduce_fare.py","file_text":"print(price(trip))"} -> "created"
${edit}
tool bash {"command":"pytest ferry"} -> "4 passed"
tool finish {"message":"The return fare is right now."}`,
      silent: true,
    }),
  ),
  {
    name: 'silent: a new module in a folder of the project',
    trace: submits(newFile('ferry/fares/bonus.py')),
    silent: true,
  },
  {
    name: 'nothing_changed: submitted without a diff and without an edit',
    trace: submits([]),
    fires: [{ subtype: 'nothing_changed', step: 1, severity: 'critical', text: 'without any change' }],
  },
  ...[
    'The crash is already fixed on this branch; no change is needed.',
    'Der Fehler ist auf diesem Zweig bereits behoben.',
    'El error ya está corregido en esta rama.',
  ].map((said) => ({
    name: `silent: the tests pass, and the agent says why nothing is to be changed: ${said}`,
    trace: submits([], `tool bash {"command":"pytest -q"} -> "12 passed in 1.1s"\nllm gpt-4o -> "${said}"`),
    silent: true as const,
  })),
  {
    name: 'nothing_changed: the agent says that no change is needed, and nothing was run that shows it',
    trace: submits([], 'llm gpt-4o -> "The crash is already fixed on this branch."'),
    fires: [
      {
        subtype: 'nothing_changed',
        severity: 'info',
        text: 'no test or program was run that shows it',
        suggestion: 'tell dev to run a test that shows that no change is needed',
      },
    ],
  },
  {
    name: 'nothing_changed: the tests fail although the agent calls the fault repaired',
    trace: submits(
      [],
      'tool bash {"command":"pytest -q"} -> "1 failed, 12 passed in 1.1s"\nllm gpt-4o -> "The crash is already fixed on this branch."',
    ),
    fires: [{ subtype: 'nothing_changed', severity: 'critical' }],
  },
  {
    name: 'nothing_changed: the agent gives up',
    trace: submits(
      [],
      'tool bash {"command":"pytest -q"} -> "12 passed in 1.1s"\nllm gpt-4o -> "If no change is needed, this is fine; I cannot edit the file in this environment."',
    ),
    fires: [{ subtype: 'nothing_changed', severity: 'critical' }],
  },
  {
    name: 'silent: a submission that returns nothing, after an edit',
    trace: submits(
      [],
      'tool edit {"path":"ferry/fares/price.py","text":"x"} -> "edited"\ntool bash {"command":"pytest"} -> "3 passed"',
    ),
    silent: true,
  },
  {
    name: 'silent: the submission is an answer',
    trace: `${ISSUE}\nagent dev\n${OPENED}\ntool submit {"answer":"The return trip is missing in price()."} -> ""`,
    silent: true,
  },
  {
    name: 'nothing_changed: only a comment is different',
    trace: submits(changed('ferry/fares/price.py', '  # the fare', '  # the fare of a return trip')),
    fires: [{ subtype: 'nothing_changed', step: 1, severity: 'info', text: 'is a comment' }],
  },
  {
    name: 'silent: a statement is different',
    trace: submits(changed('ferry/fares/price.py', '  return trip.fare', '  return trip.fare * 2  # both ways')),
    silent: true,
  },
  {
    name: 'silent: a document is changed',
    trace: submits(changed('docs/fares.md', '# Fares', '# Fares and discounts')),
    silent: true,
  },
  {
    name: 'nothing_run: changed and submitted, though a shell was offered',
    trace: `agent dev\n${SHELL}\n${LONG_EDIT}\n${DONE}`,
    fires: [{ subtype: 'nothing_run', step: 0, agent: 'dev', severity: 'warning', text: 'no test' }],
  },
  ...[
    "sed -i 's/teh/the/' docs.md",
    "sed -i 's/teh/the/' notes.txt",
    "sed -i 's/MIT/ISC/' LICENSE",
    "cd docs && sed -i -e 's/1/2/' -e 's/3/4/' data.csv",
    "perl -pi -e 's/80/81/' settings.yaml",
    'sed -i.bak -es/teh/the/ *.md',
    `sed -i "s/OLD/${'The museum has three halls. '.repeat(40)}/" guide.md`,
    `sed -i '1i ${'The museum has three halls. '.repeat(40)}' LICENSE`,
  ].map((command) => ({
    name: `nothing_run: silent if the changed file is no code: ${command.slice(0, 40)}`,
    trace: `agent dev\n${SHELL}\ntool bash ${JSON.stringify({ command })} -> ""\n${DONE}`,
    silent: true as const,
  })),
  ...[
    "sed -i 's/teh/the/' src/cart.py",
    "sed -i 's/teh/the/' docs.md src/cart.py",
    "sed -i 's/teh/the/' Makefile",
    "sed -i 's/teh/the/' *",
    "sed -i 's/teh/the/' $FILE",
    "sed -i 's/teh/the/' docs.md; git apply fix.patch",
  ].map((command) => ({
    name: `nothing_run: the changed file is or may be code: ${command}`,
    trace: `agent dev\n${SHELL}\ntool bash ${JSON.stringify({ command })} -> ""\n${DONE}`,
    fires: [{ subtype: 'nothing_run', step: 0, severity: 'info' as const }],
  })),
  {
    name: 'nothing_run: a few lines give info',
    trace: `agent dev\n${SHELL}\n${EDIT}\n${DONE}`,
    fires: [{ subtype: 'nothing_run', step: 0, severity: 'info' }],
  },
  {
    name: 'nothing_run: a tool of another name with a command as its argument was offered',
    trace: `agent dev\noffers ausfuehren {"type":"object","properties":{"command":{"type":"string"}}}\n${LONG_EDIT}\n${DONE}`,
    fires: [{ subtype: 'nothing_run', step: 0, severity: 'warning' }],
  },
  {
    name: 'silent: an agent without a tool that runs anything',
    trace: `agent dev\n${LONG_EDIT}\n${DONE}`,
    silent: true,
  },
  {
    name: 'silent: changed by an agent whose tests a service runs',
    trace: `agent dev\n${LONG_EDIT}\ntool ci_pipeline {"branch":"total"} -> "all 120 tests passed"\n${DONE}`,
    silent: true,
  },
  {
    name: 'silent: a folder without tests',
    trace: `agent dev\n${EDIT}\ntool bash {"command":"python try_cart.py"} -> "3"\n${DONE}`,
    silent: true,
  },
  {
    name: 'silent: written and run in one command',
    trace: `agent dev\ntool bash {"command":"cat > src/cart.py <<EOF && python src/cart.py\\nprint(3)\\nEOF"} -> "3"\n${DONE}`,
    silent: true,
  },
  {
    name: 'failing_tests_left: the failing test is all that was written',
    trace: `agent dev\ntool edit_file {"path":"tests/test_cart.py","new":"assert total == 3"} -> "ok"\ntool bash {"command":"pytest tests"} -> "1 failed, 7 passed in 1.1s"\n${DONE}`,
    fires: [{ subtype: 'failing_tests_left', step: 2, severity: 'info' }],
  },
  {
    name: 'silent: the answer calls the failing tests passing, which completion reports',
    trace: `agent dev\n${EDIT}\ntool bash {"command":"pytest tests"} -> "2 failed, 7 passed in 1.1s"\nllm gpt-4o -> "All tests pass now."`,
    silent: true,
  },
  {
    name: 'failing_tests_left: an earlier claim is not about the last run',
    trace: `agent dev\n${EDIT}\ntool bash {"command":"pytest tests"} -> "2 failed, 7 passed in 1.1s"\nllm gpt-4o -> "All tests pass now."\nuser "Run them again."\n${EDIT}\ntool bash {"command":"pytest tests"} -> "1 failed, 8 passed in 1.1s"\n${DONE}`,
    fires: [{ subtype: 'failing_tests_left', severity: 'warning' }],
  },
  {
    name: 'unverified_change: a change after the last script',
    trace: `agent dev\n${EDIT}\ntool bash {"command":"python try_cart.py"} -> "3"\n${EDIT}\n${DONE}`,
    fires: [{ subtype: 'unverified_change', step: 2, severity: 'info' }],
  },
  {
    name: 'suite_never_run: scripts only, though there are tests',
    trace: `agent dev\n${LOOK}\n${EDIT}\ntool bash {"command":"python try_cart.py"} -> "3"\n${DONE}`,
    fires: [{ subtype: 'suite_never_run', step: 1, severity: 'info' }],
  },
  {
    name: 'failing_tests_left: every run after the change failed',
    trace: `agent dev\n${EDIT}\ntool bash {"command":"pytest tests"} -> "2 failed, 7 passed in 1.1s"\n${DONE}`,
    fires: [
      {
        subtype: 'failing_tests_left',
        step: 2,
        severity: 'warning',
        text: 'and the run ended with the answer at step 2',
        suggestion: 'or say which failures were there before the change',
        fix: 'Repair what the tests show',
      },
    ],
  },
  {
    name: 'failing_tests_left: earlier failures of the same command, without an edit in between',
    trace: `agent dev\ntool bash {"command":"pytest tests"} -> "3 failed"\n${EDIT}\n${'tool bash {"command":"pytest tests"} -> "2 failed, 7 passed in 1.1s"\n'.repeat(3)}${DONE}`,
    fires: [
      {
        subtype: 'failing_tests_left',
        text: 'The same command had already failed at steps 2 and 3, without an edit in between.',
      },
    ],
  },
  ...[
    'node server.js',
    'make',
    'flake8 src/cart.py',
    'timeout 5 python3 server.py',
    'python3 src/cart.py --bad',
    'npm ci',
  ].map((command) => ({
    name: `silent: ${command} failed, which is no run of the tests`,
    trace: `agent dev\n${EDIT}\ntool bash {"command":"${command}"} exit 2 -> "usage: cart"\n${DONE}`,
    silent: true as const,
  })),
  {
    name: 'failing_tests_left: another command failed after the tests, which are the run that is named',
    trace: `agent dev\n${EDIT}\ntool bash {"command":"pytest tests"} -> "2 failed, 7 passed in 1.1s"\ntool bash {"command":"make"} exit 2 -> "make: *** [all] Error 2"\n${DONE}`,
    fires: [{ subtype: 'failing_tests_left', severity: 'warning', text: '("pytest tests")' }],
  },
  {
    name: 'failing_tests_left: a mistyped path after the failing run tests nothing',
    trace: `agent dev\n${EDIT}\ntool bash {"command":"pytest tests"} -> "2 failed, 7 passed in 1.1s"\ntool bash {"command":"pytest test"} exit 4 -> "ERROR: file or directory not found: test"\n${DONE}`,
    fires: [{ subtype: 'failing_tests_left', severity: 'warning', text: '("pytest tests")' }],
  },
  {
    name: 'silent: the answer names the test that had failed before the change',
    trace: `agent dev\n${DNS}\n${EDIT}\n${DNS}\nllm gpt-4o -> "The total is a sum. test_dns failed before and after my change, because the sandbox has no network."`,
    silent: true,
  },
  {
    name: 'silent: the failure was shown with the change put aside',
    trace: `agent dev\n${EDIT}\n${DNS}\ntool bash {"command":"git stash"} -> "Saved"\n${DNS}\ntool bash {"command":"git stash pop"} -> "Dropped"\n${DNS}\nllm gpt-4o -> "Der Test test_dns schlägt auch ohne die Änderung fehl."`,
    silent: true,
  },
  {
    name: 'silent: the counts of failed and passed tests are those before the change',
    trace: `agent dev\ntool bash {"command":"git stash -q; npm test 2>&1 | tail -3; git stash pop -q"} -> "Tests:       2 failed, 140 passed, 142 total"\n${EDIT}\ntool bash {"command":"npm test 2>&1 | tail -8"} -> "FAIL test/time.test.ts\\n  ✕ formats DST change (4 ms)\\n  ✕ formats leap second (2 ms)\\n\\nTests:       2 failed, 140 passed, 142 total"\nllm gpt-4o -> "140 tests pass. The two failures in test/time.test.ts were there before my change."`,
    silent: true,
  },
  {
    name: 'failing_tests_left: one test more fails than before the change',
    trace: `agent dev\ntool bash {"command":"git stash -q; npm test 2>&1 | tail -3; git stash pop -q"} -> "Tests:       2 failed, 140 passed, 142 total"\n${EDIT}\ntool bash {"command":"npm test 2>&1 | tail -8"} -> "FAIL test/time.test.ts\\n  ✕ formats DST change (4 ms)\\n  ✕ formats leap second (2 ms)\\n  ✕ formats year (2 ms)\\n\\nTests:       3 failed, 139 passed, 142 total"\nllm gpt-4o -> "139 tests pass. The three failures in test/time.test.ts were there before my change."`,
    fires: [{ subtype: 'failing_tests_left' }],
  },
  ...['Write a failing test for issue 88. Do not fix the code yet.', 'Schreibe einen fehlschlagenden Test.'].map(
    (asked): DetectorRow => ({
      name: `silent: a failing test on request: ${asked}`,
      trace: `user ${JSON.stringify(asked)}\nagent dev\n${EDIT}\n${DNS}\nllm gpt-4o -> "The new test fails as intended."`,
      silent: true,
    }),
  ),
  {
    name: 'silent: the last run shows the same failures with the change put aside',
    trace: `agent dev\n${EDIT}\n${PDF}\n${PDF.replace('npm test', 'git stash && npm test; git stash pop')}\nllm gpt-4o -> "2 PDF tests fail as they did before my change, because Chrome is not installed here."`,
    silent: true,
  },
  {
    name: 'failing_tests_left: the last run passes with the change put aside',
    trace: `agent dev\n${EDIT}\n${PDF}\ntool bash {"command":"git stash && npm test; git stash pop"} -> "Tests: 142 passed"\n${DONE}`,
    fires: [{ subtype: 'failing_tests_left', text: '("npm test")' }],
  },
  {
    name: 'failing_tests_left: fewer tests fail with the change put aside',
    trace: `agent dev\n${EDIT}\n${PDF}\ntool bash {"command":"git stash && npm test; git stash pop"} -> "Tests: 1 failed, 141 passed\\n ✕ pdf export (no Chrome found)"\nllm gpt-4o -> "2 PDF tests fail as before."`,
    fires: [{ subtype: 'failing_tests_left', text: '("npm test")' }],
  },
  ...[
    'Rename total to sum. The two pdf tests fail on this machine, ignore them.',
    'Rename total to sum. Please ignore the failing pdf tests.',
    'Rename total to sum. The pdf tests are known to fail here.',
    'Benenne total um. Die pdf-Tests schlagen hier fehl, bitte ignorieren.',
  ].map(
    (asked): DetectorRow => ({
      name: `silent: failures that the user knows: ${asked}`,
      trace: `user ${JSON.stringify(asked)}\nagent dev\n${EDIT}\n${PDF}\nllm gpt-4o -> "140 tests pass; only the two PDF tests fail, as you said."`,
      silent: true,
    }),
  ),
  ...[
    'Rename total to sum. The two csv tests fail on this machine, ignore them.',
    'Rename total to sum. Do not ignore the failing pdf tests.',
    'The two pdf tests fail on this machine. Repair them.',
  ].map(
    (asked): DetectorRow => ({
      name: `failing_tests_left: not the failures that the user wants to be ignored: ${asked}`,
      trace: `user ${JSON.stringify(asked)}\nagent dev\n${EDIT}\n${PDF}\nllm gpt-4o -> "140 tests pass; only the two PDF tests fail."`,
      fires: [{ subtype: 'failing_tests_left' }],
    }),
  ),
  {
    name: 'failing_tests_left: the answer says nothing of the test that had failed before the change',
    trace: `agent dev\n${DNS}\n${EDIT}\n${DNS}\n${DONE}`,
    fires: [{ subtype: 'failing_tests_left', severity: 'warning' }],
  },
  {
    name: 'failing_tests_left: another test fails than before the change',
    trace: `agent dev\n${DNS}\n${EDIT}\n${DNS.replaceAll('test_dns', 'test_sum')}\nllm gpt-4o -> "test_sum failed before and after my change."`,
    fires: [{ subtype: 'failing_tests_left', severity: 'warning' }],
  },
  {
    name: 'failing_tests_left: the answer calls the failing test repaired',
    trace: `agent dev\n${DNS}\n${EDIT}\n${DNS}\nllm gpt-4o -> "I fixed the failing test test_dns."`,
    fires: [{ subtype: 'failing_tests_left', severity: 'warning' }],
  },
  {
    name: 'failing_tests_left: a failure that no run before the change shows',
    trace: `agent dev\n${EDIT}\n${DNS}\nllm gpt-4o -> "test_dns failed before my change, too."`,
    fires: [{ subtype: 'failing_tests_left', severity: 'warning' }],
  },
  {
    name: 'failing_tests_left: earlier failures change nothing in a task about tests',
    trace: `agent dev\nuser "Make the tests of the cart pass."\n${EDIT}\ntool bash {"command":"pytest tests"} -> "2 failed, 7 passed in 1.1s"\n${DONE}`,
    fires: [
      { subtype: 'failing_tests_left', suggestion: 'do not let the agent answer while the last test run is red' },
    ],
  },
  {
    name: 'failing_tests_left: a session that is marked as completed, without its answer',
    trace: `session {"endedBy":"completed"}\nagent dev\n${EDIT}\ntool bash {"command":"pytest tests"} -> "2 failed"`,
    fires: [{ subtype: 'failing_tests_left', step: 1, severity: 'warning' }],
  },
  {
    name: 'silent: a session without answer whose end is not known',
    trace: `session {"endedBy":"unknown"}\nagent dev\n${EDIT}\ntool bash {"command":"pytest tests"} -> "2 failed"`,
    silent: true,
  },
  {
    name: 'answers_disagree: three were asked, two answers',
    trace: debate(['40', '40', '42'], ''),
    fires: [{ subtype: 'answers_disagree', agent: 'c', severity: 'warning', text: 'a 40' }],
  },
  { name: 'silent: all agree', trace: debate(['40', '40', '40.0'], ''), silent: true },
  {
    name: 'silent: one agent decides',
    trace: debate(['40', '42'], 'agent judge\nllm gpt-4o -> "b is right: \\\\boxed{42}"'),
    silent: true,
  },
  {
    name: 'silent: other questions have other answers',
    trace: `
user "How many boxes of forty pears go on the first of the two carts?"
agent a
llm gpt-4o -> "\\\\boxed{40}"
user "And how many boxes of twenty plums go on the second of the two carts?"
agent b
llm gpt-4o -> "\\\\boxed{20}"`,
    silent: true,
  },
  {
    name: 'silent: tested after the last change',
    trace: `agent dev\n${EDIT}\ntool bash {"command":"npm test"} -> "12 passed"\n${DONE}`,
    silent: true,
  },
  {
    name: 'silent: a failing run, a repair, a passing run',
    trace: `agent dev\n${EDIT}\ntool bash {"command":"go test ./..."} -> "--- FAIL"\n${EDIT}\ntool bash {"command":"go test ./..."} -> "ok"\n${DONE}`,
    silent: true,
  },
  {
    name: 'silent: a document is not code',
    trace: `agent dev\ntool write_file {"path":"notes/plan.md","content":"x"} -> "ok"\n${DONE}`,
    silent: true,
  },
  { name: 'not applicable: still running', trace: `running\nagent dev\n${EDIT}\n${DONE}`, notApplicable: true },
];

testDetector(qualityGate, rows, { readme: new URL('./README.md', import.meta.url) });
