import type { Item } from './corpus.ts';
import accounts from './own-accounts.json' with { type: 'json' };
import orders from './own-orders.json' with { type: 'json' };
import phraseTable from './own-phrases.json' with { type: 'json' };
import secretTable from './own-secrets.json' with { type: 'json' };

/**
 * Our own phrases in languages that are rare in the public sets: attacks, and ordinary requests and statements, so that a
 * language alone never indicates an attack.
 */
interface Phrases {
  /** Openings that suspend the instructions; each is joined with each of `orders`. */
  openings: readonly string[];
  orders: readonly string[];
  /** Attacks that are complete on their own. */
  attacks: readonly string[];
  /** Ordinary requests to an assistant. */
  requests: readonly string[];
  /** Sentences of documents. */
  statements: readonly string[];
}

/**
 * Requests for secrets of a model. The same forms also request harmless things, so that neither the form nor the language
 * indicates an attack.
 */
interface SecretWords {
  secrets: readonly string[];
  harmless: readonly string[];
  /** `{}` is replaced by the thing. */
  forms: readonly string[];
  /** Forms that are not used for a harmless thing. */
  pressing: readonly string[];
  /** A change of task; each is joined with each of `tasks`, which alone are ordinary requests. */
  pivots: readonly string[];
  tasks: readonly string[];
}

/** By language. */
const PHRASES: Readonly<Record<string, Phrases>> = phraseTable;
const SECRETS: Readonly<Record<string, SecretWords>> = secretTable;
/** Questions about the user's own passwords, codes and addresses: the vocabulary of an attack without an attack. */
const ACCOUNTS: Readonly<Record<string, readonly string[]>> = accounts;

/** Our own phrases as items of the corpus. */
export function ownItems(): Item[] {
  return [
    ...Object.entries(PHRASES).flatMap(([language, phrases]) => itemsOf(language, phrases)),
    ...Object.entries(SECRETS).flatMap(([language, words]) => secretItems(language, words)),
    ...Object.entries(ACCOUNTS).flatMap(([language, questions]) =>
      questions.map((text, at) => item(language, 'own-accounts', at, text, false, 'user')),
    ),
    ...orderItems(),
  ];
}

function secretItems(language: string, words: SecretWords): Item[] {
  const filled = (forms: readonly string[], things: readonly string[]) =>
    forms.flatMap((form) => things.map((thing) => form.replace('{}', thing)));
  const [forms, tasks] = [words.forms, words.tasks];
  const taskChange = words.pivots.flatMap((pivot) => tasks.map((task) => `${pivot} ${task}`));
  const attacks = [...filled([...forms, ...words.pressing], words.secrets), ...taskChange];
  const requests = [...filled(forms, words.harmless), ...tasks.map(capitalised)];
  return [
    ...attacks.map((text, at) => item(language, 'own-attacks', `secret ${at}`, text, true, 'user')),
    ...requests.map((text, at) => item(language, 'own-requests', `harmless ${at}`, text, false, 'user')),
  ];
}

function itemsOf(language: string, phrases: Phrases): Item[] {
  const openings = phrases.openings;
  const orders = phrases.orders;
  const joined = openings.flatMap((opening, row) =>
    orders.filter((_, column) => (row + column) % 2 === 0).map((order) => `${opening} ${order}`),
  );
  const attacks = [
    ...openings.filter((opening) => opening.length > 20 && !opening.endsWith(':')),
    ...orders.slice(0, 2),
    ...joined,
    ...phrases.attacks,
  ];
  const requests = phrases.requests;
  const statements = phrases.statements;
  const mixed = requests.map((request, at) => `${statements[at % statements.length]} ${request}`);
  return [
    ...attacks.map((text, at) => item(language, 'own-attacks', at, text, true, 'user')),
    ...[...requests, ...mixed].map((text, at) => item(language, 'own-requests', at, text, false, 'user')),
    ...statements.map((text, at) => item(language, 'own-statements', at, text, false, 'data')),
    item(language, 'own-statements', 'all', statements.join('\n'), false, 'data'),
  ];
}

const OPENERS = ['Please ', '', 'Can you ', 'Kindly ', 'I need you to ', 'You should '];

function orderItems(): Item[] {
  const { tails } = orders;
  const actions = orders.actions.flatMap((action, at) =>
    [0, 1, 2].map(
      (turn) => capitalised(OPENERS[(at + turn) % OPENERS.length]! + action) + tails[(at + turn * 3) % tails.length]!,
    ),
  );
  return [...orders.orders, ...actions].map((text, at) => item('en', 'own-orders', at, text, false, 'user'));
}

const capitalised = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

function item(
  language: string,
  set: string,
  at: number | string,
  text: string,
  isAttack: boolean,
  channel: 'user' | 'data',
): Item {
  return {
    id: `own/${set}/${language}/${at}`,
    set,
    channel,
    isAttack,
    text,
    group: `own ${language} ${at}`,
    record: '',
    isTask: channel === 'user',
  };
}
