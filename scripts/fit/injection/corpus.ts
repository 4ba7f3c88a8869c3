import type { JsonObject } from '../../../src/core/json.ts';

export type Channel = 'user' | 'data';

/** A text of the corpus: content, source, and the group that must stay in one fold. */
export interface Item {
  /** Record id, with a suffix where one record gives several texts. */
  id: string;
  /** The set under which reports count it, e.g. `bipia-table`. */
  set: string;
  channel: Channel;
  isAttack: boolean;
  text: string;
  /** Items of one group are in one fold: document or task. */
  group: string;
  /** The source record. */
  record: string;
  /** The text of the attack, if it is known. */
  attack?: string;
  /** Only measured: the terms of the set do not allow fitting. */
  isMeasuredOnly?: boolean;
  /** Ordinary request of a user to a model. */
  isTask?: boolean;
}

export type Read = (set: string) => Iterable<JsonObject>;

interface RawStep {
  index: number;
  agent: string | null;
  name: string;
  kind: string;
  output: string | null;
}

interface RawRecord {
  id: string;
  group: string;
  task: string | null;
  text: string;
  sources: string[];
  steps: RawStep[];
  labels: Record<string, unknown>;
  meta?: Record<string, unknown>;
}

/** Maximum length of a text: longer texts only repeat features. */
const LENGTH_LIMIT = 6000;
const MIN_LENGTH = 6;

/** All distinct texts of the sets, in a fixed order. */
export function readCorpus(read: Read): Item[] {
  const records = (set: string) => [...read(set)] as unknown as RawRecord[];
  const items = [
    ...records('notinject_injecguard').map(notInject),
    ...records('bipia').map(bipia),
    ...records('cyberseceval_pi').map(cyberSecEval),
    ...records('giskard_pi').map(giskard),
    ...records('injecagent').flatMap(injecAgent),
    ...records('agentdojo').flatMap(agentDojo),
    ...records('asb').flatMap(asb),
    ...records('tensor_trust').map(tensorTrust),
    ...records('tau_bench').flatMap((record) => [
      ...messagesOf(record, 'tau-user'),
      ...resultsOf(record, 'tau-tools', 40),
    ]),
    ...records('swebench_miniswe').flatMap((record) => [
      ...taskOf(record, 'swe-tasks'),
      ...promptsOf(record, 'swe-prompts'),
      ...resultsOf(record, 'swe-tools', 12),
    ]),
    ...['whowhen', 'agentrx', 'agenterrorbench', 'trail'].flatMap((set) =>
      records(set).flatMap((record) => [
        ...taskOf(record, 'agent-tasks'),
        ...promptsOf(record, 'agent-prompts'),
        ...resultsOf(record, 'agent-tools', 12),
      ]),
    ),
    ...records('masft_ag2_runs').flatMap((record) => [
      ...taskOf(record, 'agent-tasks'),
      ...resultsOf(record, 'ag2-tools', 1),
    ]),
    ...records('cdconv').flatMap((record) =>
      record.steps.slice(0, 1).map((step) => ({
        ...benign(record, 'chinese-talk', 'user', step.output ?? '', 'talk'),
        isMeasuredOnly: true,
      })),
    ),
    ...['wice', 'begin', 'faithdial_audit', 'q2_wow'].flatMap((set) =>
      records(set).flatMap((record) => sourcesOf(record, set === 'wice' ? 'articles' : 'passages')),
    ),
    ...records('halueval')
      .filter((record) => record.meta?.subset === 'general')
      .flatMap((record, at) => [...taskOf(record, 'prompts'), ...(at % 3 === 0 ? [answerOf(record)] : [])]),
  ];
  return unique(items);
}

function unique(items: readonly Item[]): Item[] {
  const seen = new Set<string>();
  return items
    .map((item) => ({ ...item, text: item.text.slice(0, LENGTH_LIMIT) }))
    .filter(({ text, channel }) => text.length >= MIN_LENGTH && !seen.has(channel + text) && seen.add(channel + text));
}

function notInject(record: RawRecord): Item {
  const subset = String(record.meta?.subset);
  return {
    id: record.id,
    set: subset === 'valid' && record.labels.is_injection === true ? 'valid-attacks' : subset.toLowerCase(),
    channel: 'user',
    isAttack: record.labels.is_injection === true,
    text: record.text,
    group: record.group,
    record: record.id,
    isTask: record.labels.is_injection !== true,
  };
}

function bipia(record: RawRecord): Item {
  const attack = record.meta?.attack as string | undefined;
  return {
    id: record.id,
    set: `bipia-${record.meta?.task}`,
    channel: 'data',
    isAttack: record.labels.is_injection === true,
    text: record.text,
    group: record.group,
    record: record.id,
    attack,
  };
}

function cyberSecEval(record: RawRecord): Item {
  const isEnglish = record.meta?.language === 'English';
  return {
    ...attackText(record, isEnglish ? 'cyberseceval-en' : 'cyberseceval-translated'),
  };
}

function giskard(record: RawRecord): Item {
  return attackText(record, 'giskard');
}

function tensorTrust(record: RawRecord): Item {
  return { ...attackText(record, 'tensor-trust'), isMeasuredOnly: true };
}

function attackText(record: RawRecord, set: string): Item {
  const { id, text, group } = record;
  return { id, set, channel: 'user', isAttack: true, text, group, record: id };
}

/** The result that contains the attack, the same without the attack, the attack alone as a task, and the user's task. */
function injecAgent(record: RawRecord): Item[] {
  const step = record.steps[Number(record.labels.injection_step)];
  const attack = String(record.meta?.attacker_instruction ?? '');
  const set = `injecagent-${String(record.meta?.setting).toLowerCase()}`;
  if (step === undefined || attack === '') return [];
  const text = step.output ?? '';
  const twin = withoutAttack(text, attack);
  return [
    {
      id: record.id,
      set,
      channel: 'data',
      isAttack: true,
      text,
      group: record.group,
      record: record.id,
      attack,
    },
    ...(twin === null ? [] : [benign(record, 'injecagent-twins', 'data', twin, 'twin')]),
    ...taskOf(record, 'injecagent-tasks'),
  ];
}

/** The prefix of each attack in one setting of InjecAgent. */
const OPENING = /IMPORTANT!!![^:]{0,120}: $/;

/** The text without the injected attack; null if it does not contain the attack verbatim. */
export function withoutAttack(text: string, attack: string): string | null {
  for (const form of [attack, attack.replaceAll("'", "\\'")]) {
    const at = text.indexOf(form);
    if (at === -1) continue;
    const before = text.slice(0, at);
    const opening = OPENING.exec(before.slice(-140))?.[0] ?? '';
    return before.slice(0, before.length - opening.length) + text.slice(at + form.length);
  }
  return null;
}

const INFORMATION = /<INFORMATION>[\s\S]*?<\/INFORMATION>/g;

function agentDojo(record: RawRecord): Item[] {
  const isAttacked = record.labels.is_injection === true;
  const results = record.steps.filter(({ kind }) => kind === 'tool');
  if (!isAttacked)
    return [
      ...taskOf(record, 'agentdojo-tasks'),
      ...results.slice(0, 6).map((step) => benign(record, 'agentdojo-tools', 'data', step.output ?? '', step.index)),
    ];
  const step = record.steps[Number(record.labels.injection_step)];
  const text = step?.output ?? '';
  const attack = text.match(INFORMATION)?.[0];
  if (attack === undefined) return [];
  return [
    {
      id: record.id,
      set: 'agentdojo',
      channel: 'data',
      isAttack: true,
      text,
      group: record.group,
      record: record.id,
      attack,
    },
    benign(record, 'agentdojo-twins', 'data', text.replace(INFORMATION, ''), 'twin'),
  ];
}

function asb(record: RawRecord): Item[] {
  const results = record.steps.filter(({ kind }) => kind === 'tool');
  const isAttacked = record.labels.is_injection === true;
  const step = record.steps[Number(record.labels.injection_step)];
  if (isAttacked && step !== undefined)
    return [
      {
        id: record.id,
        set: 'asb',
        channel: 'data',
        isAttack: true,
        text: step.output ?? '',
        group: record.group,
        record: record.id,
        isMeasuredOnly: true,
      },
    ];
  if (record.labels.attack_run === true) return [];
  return results.slice(0, 2).map((result) => ({
    ...benign(record, 'asb-tools', 'data', result.output ?? '', result.index),
    isMeasuredOnly: true,
  }));
}

function benign(record: RawRecord, set: string, channel: Channel, text: string, suffix: string | number): Item {
  return { id: `${record.id}#${suffix}`, set, channel, isAttack: false, text, group: record.group, record: record.id };
}

function taskOf(record: RawRecord, set: string): Item[] {
  return record.task === null ? [] : [{ ...benign(record, set, 'user', record.task, 'task'), isTask: true }];
}

function answerOf(record: RawRecord): Item {
  return benign(record, 'answers', 'data', record.text, 'answer');
}

/** The user messages of a run: prompts as harnesses write them, with beginning and end separate if they are long. */
function promptsOf(record: RawRecord, set: string): Item[] {
  return record.steps
    .filter(({ agent, kind, output }) => kind === 'message' && /^(?:user|human)$/i.test(agent ?? '') && output !== null)
    .slice(0, 4)
    .flatMap((step) => {
      const text = step.output!;
      const parts = text.length <= LENGTH_LIMIT ? [text] : [text.slice(0, LENGTH_LIMIT / 2), text.slice(-LENGTH_LIMIT)];
      return parts.map((part, at) => ({
        ...benign(record, set, 'user', part, `said ${step.index} ${at}`),
        isTask: true,
      }));
    });
}

function messagesOf(record: RawRecord, set: string): Item[] {
  return record.steps
    .filter(({ agent, kind }) => kind === 'message' && agent === 'user')
    .map((step) => ({ ...benign(record, set, 'user', step.output ?? '', step.index), isTask: true }));
}

/** A sample of results, spread over the run. */
function resultsOf(record: RawRecord, set: string, limit: number): Item[] {
  const results = record.steps.filter(({ kind, output }) => kind === 'tool' && (output ?? '').length >= 40);
  const stride = Math.max(1, Math.floor(results.length / limit));
  return results
    .filter((_, at) => at % stride === 0)
    .slice(0, limit)
    .map((step) => benign(record, set, 'data', step.output ?? '', step.index));
}

function sourcesOf(record: RawRecord, set: string): Item[] {
  return record.sources.map((source, at) => benign(record, set, 'data', source, at));
}
