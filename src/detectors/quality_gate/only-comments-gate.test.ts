import { type DetectorRow, testDetector } from '../_testing/tester.ts';
import { qualityGate } from './detector.ts';

const ASK = 'parse_duration("1h30m") in app/durations.py returns 3600 instead of 5400. Fix it.';
const DONE = 'I fixed parse_duration: it now handles hours and minutes.';
const edit = (before: string, after: string, path = 'app/durations.py') =>
  `tool edit_file ${JSON.stringify({ path, old_string: before, new_string: after })} -> "The file was updated."`;
const COMMENT = edit('    return hours * 3600', '    # handles hours and minutes\n    return hours * 3600');
const PATCH =
  'tool apply_patch {"input":"*** Begin Patch\\n*** Update File: app/durations.py\\n@@ def parse\\n-    # hours\\n+    # hours and minutes\\n     return hours * 3600\\n*** End Patch"} -> "Done!"';
const LIST =
  'tool multi_edit {"file_path":"app/durations.js","edits":[{"old_string":"const h = 3600;","new_string":"// an hour\\n\\nconst h = 3600;"}]} -> "ok"';

function run(edits: string, { ask = ASK, answer = DONE } = {}): string {
  return `user ${JSON.stringify(ask)}\nagent coder\n${edits}\nllm m -> ${JSON.stringify(answer)}`;
}

const fires = [
  {
    subtype: 'only_comments' as const,
    step: 1,
    severity: 'warning' as const,
    agent: 'coder',
    fix: 'no statement is changed',
  },
];

const rows: DetectorRow[] = [
  ...[COMMENT, PATCH, LIST].map((text) => ({ name: `only_comments: ${text.slice(5, 40)}`, trace: run(text), fires })),
  ...[
    'parse_duration ist korrigiert und liest jetzt Stunden und Minuten.',
    'Corregí parse_duration: ahora lee horas y minutos.',
    "J'ai corrigé parse_duration : elle lit les heures et les minutes.",
    'Corrigi parse_duration: agora lê horas e minutos.',
    'Poprawiłem parse_duration: czyta godziny i minuty.',
    'Исправлено: parse_duration читает часы и минуты.',
    '已修复 parse_duration,现在支持小时和分钟。',
    'parse_duration を修正し、時間と分に対応しました。',
  ].map((answer) => ({ name: `only_comments: ${answer}`, trace: run(COMMENT, { answer }), fires })),
  ...[
    'I added a comment that explains the result.',
    'I could not find the fault.',
    'Ich habe nur einen Kommentar ergänzt.',
    'Añadí un comentario.',
    "J'ai ajouté un commentaire.",
    'Adicionei um comentário.',
    'Dodałem komentarz.',
    'Добавлен комментарий.',
    '我添加了注释。',
    'コメントを追加しました。',
    'Is that the behaviour that you want?',
  ].map((answer) => ({ name: `silent: ${answer}`, trace: run(COMMENT, { answer }), silent: true as const })),
  ...[
    'Document parse_duration in app/durations.py.',
    'Kommentiere parse_duration in app/durations.py.',
    'Explica parse_duration con comentarios.',
    'Ajoute des commentaires à parse_duration.',
    'Adicione comentários a parse_duration.',
    'Dodaj komentarze do parse_duration.',
    'Добавь комментарии к parse_duration.',
    '给 parse_duration 添加注释。',
    'parse_duration にコメントを付けてください。',
  ].map((ask) => ({ name: `silent: ${ask}`, trace: run(COMMENT, { ask }), silent: true as const })),
  ...(
    [
      ['a statement differs', edit('    return 3600', '    # an hour\n    return 3600 * hours')],
      ['an indentation differs', edit('    return 3600', '  # an hour\n  return 3600')],
      ['a statement becomes a comment', edit('    check(hours)\n    return 1', '    # check(hours)\n    return 1')],
      ['a comment that a linter reads', edit('import re', '# noqa: F401\nimport re')],
      ['a private field', edit('class A {', 'class A {\n  #hours = 0;', 'app/durations.js')],
      ['a document', edit('Durations', '# Durations', 'README.md')],
      ['a second edit of a statement', `${COMMENT}\n${edit('3600', '5400')}`],
      ['only the new content is known', 'tool write_file {"path":"app/durations.py","content":"# hours\\n"} -> "ok"'],
    ] as const
  ).map(([name, edits]) => ({ name: `silent: ${name}`, trace: run(edits), silent: true as const })),
  ...(
    [
      ['a command edits, too', `${COMMENT}\ntool bash {"command":"sed -i s/3600/5400/ app/durations.py"} -> ""`],
      [
        'a later diff has a statement',
        `${COMMENT}\ntool bash {"command":"git diff"} -> "diff --git a/a.py b/a.py\\n--- a/a.py\\n+++ b/a.py\\n@@ -1 +1 @@\\n-a = 1\\n+a = 2"`,
      ],
    ] as const
  ).map(([name, edits]) => ({ name: `silent: ${name}`, trace: run(edits), fires: [{ subtype: 'nothing_run' }] })),
];

testDetector(qualityGate, rows);
