import { type DetectorRow, testDetector } from '../_testing/tester.ts';
import { completion } from './detector.ts';

const START = 'user "The label printer LP-14 in hall 3 is unreachable. Please get it back online."\nagent netops';
const change = (name: string) => `tool ${name} {"switch":"SW-3"} -> "done"`;

function run(result: string, answer: string, last = result): string {
  const check = (text: string) => `tool ping_host {"host":"LP-14"} -> ${text}`;
  return `${START}
${check(result)}
${change('restart_port')}
${check(result)}
${change('set_vlan')}
${check(last)}
llm m -> ${JSON.stringify(answer)}`;
}

const DONE = 'I restarted the port and set the VLAN. LP-14 is online.';
const LOSS = '"4 packets transmitted, 0 received, 100% packet loss"';

const firing: readonly [result: string, answer: string][] = [
  [LOSS, DONE],
  ['{"host":"LP-14","reachable":false}', DONE],
  ['"LP-14: offline"', DONE],
  ['"LP-14 antwortet nicht"', 'Der Drucker LP-14 ist wieder erreichbar.'],
  ['"LP-14: sin conexión"', 'La impresora LP-14 vuelve a funcionar.'],
  ['"LP-14 : injoignable"', "L'imprimante LP-14 est de nouveau en ligne."],
  ['"LP-14: sem resposta"', 'A impressora LP-14 está online.'],
  ['"LP-14: brak połączenia"', 'Drukarka LP-14 działa.'],
  ['"LP-14: нет связи"', 'Принтер LP-14 в сети.'],
  ['"LP-14:无响应"', '打印机 LP-14 已恢复在线。'],
  ['"LP-14: 応答がありません"', 'プリンター LP-14 はオンラインです。'],
];

const rows: DetectorRow[] = [
  ...firing.map(
    ([result, answer]): DetectorRow => ({
      name: `negative_check_omitted: ${result}`,
      trace: run(result, answer),
      fires: [{ subtype: 'negative_check_omitted', step: 6, severity: 'warning', agent: 'netops', fix: 'ping_host' }],
    }),
  ),
  ...[
    'LP-14 is still down. I set the VLAN.',
    'LP-14 does not answer.',
    'Der Drucker LP-14 ist weiterhin offline.',
    'LP-14 no responde.',
    "L'imprimante LP-14 ne répond pas.",
    'A impressora LP-14 não responde.',
    'Drukarka LP-14 nadal nie działa.',
    'Принтер LP-14 по-прежнему недоступен.',
    '打印机 LP-14 仍然离线。',
    'プリンター LP-14 は応答しません。',
    'I set the VLAN. Is the printer online now?',
  ].map((answer) => ({
    name: `silent: the answer says it: ${answer}`,
    trace: run(LOSS, answer),
    silent: true as const,
  })),
  {
    name: 'silent: an answer that is not read',
    trace: run(LOSS, 'LP-14 hâlâ yanıt vermiyor.'),
    silent: true,
  },
  {
    name: 'silent: the last check succeeds',
    trace: run(LOSS, DONE, '"4 packets transmitted, 4 received"'),
    silent: true,
  },
  { name: 'silent: the check is positive', trace: run('"LP-14: online, 0 errors"', DONE), silent: true },
  { name: 'silent: no trouble in the result', trace: run('"no errors, no alerts"', DONE), silent: true },
  {
    name: 'silent: the user says that it works',
    trace: run(LOSS, DONE).replace('llm m', 'user "It prints now."\nllm m'),
    silent: true,
  },
  {
    name: 'silent: another check follows',
    trace: run(LOSS, DONE).replace('llm m', 'tool ping_host {"host":"LP-15"} -> "4 received"\nllm m'),
    silent: true,
  },
  {
    name: 'silent: one tool on one target after the other',
    trace: run(LOSS, DONE).replaceAll('set_vlan', 'restart_port'),
    silent: true,
  },
];

testDetector(completion, rows);
