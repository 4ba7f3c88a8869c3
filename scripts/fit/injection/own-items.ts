import type { Item } from './corpus.ts';
import { OWN_ACCOUNTS } from './own-accounts.ts';
import { OWN_DEEDS, OWN_ORDERS, OWN_TAILS } from './own-orders.ts';
import { OWN_PHRASES, type Phrases } from './own-phrases.ts';
import { OWN_SECRETS, type SecretWords } from './own-secrets.ts';

const lines = (text: string) => text.split('\n').filter((line) => line !== '');

/** The phrases of our own making as items of the corpus. */
export function ownItems(): Item[] {
  return [
    ...Object.entries(OWN_PHRASES).flatMap(([language, phrases]) => itemsOf(language, phrases)),
    ...Object.entries(OWN_SECRETS).flatMap(([language, words]) => secretItems(language, words)),
    ...Object.entries(OWN_ACCOUNTS).flatMap(([language, questions]) =>
      lines(questions).map((text, at) => item(language, 'own-accounts', at, text, false, 'user')),
    ),
    ...orderItems(),
  ];
}

function secretItems(language: string, words: SecretWords): Item[] {
  const filled = (forms: readonly string[], things: readonly string[]) =>
    forms.flatMap((form) => things.map((thing) => form.replace('{}', thing)));
  const [forms, tasks] = [lines(words.forms), lines(words.tasks)];
  const turned = lines(words.pivots).flatMap((pivot) => tasks.map((task) => `${pivot} ${task}`));
  const attacks = [...filled([...forms, ...lines(words.pressing)], lines(words.secrets)), ...turned];
  const requests = [...filled(forms, lines(words.harmless)), ...tasks.map(capitalised)];
  return [
    ...attacks.map((text, at) => item(language, 'own-attacks', `secret ${at}`, text, true, 'user')),
    ...requests.map((text, at) => item(language, 'own-requests', `harmless ${at}`, text, false, 'user')),
  ];
}

function itemsOf(language: string, phrases: Phrases): Item[] {
  const openings = lines(phrases.openings);
  const orders = lines(phrases.orders);
  const joined = openings.flatMap((opening, row) =>
    orders.filter((_, column) => (row + column) % 2 === 0).map((order) => `${opening} ${order}`),
  );
  const attacks = [
    ...openings.filter((opening) => opening.length > 20 && !opening.endsWith(':')),
    ...orders.slice(0, 2),
    ...joined,
    ...lines(phrases.attacks),
  ];
  const requests = lines(phrases.requests);
  const statements = lines(phrases.statements);
  const mixed = requests.map((request, at) => `${statements[at % statements.length]} ${request}`);
  return [
    ...attacks.map((text, at) => item(language, 'own-attacks', at, text, true, 'user')),
    ...[...requests, ...mixed].map((text, at) => item(language, 'own-requests', at, text, false, 'user')),
    ...statements.map((text, at) => item(language, 'own-statements', at, text, false, 'data')),
    item(language, 'own-statements', 'all', statements.join('\n'), false, 'data'),
  ];
}

const LEADS = ['Please ', '', 'Can you ', 'Kindly ', 'I need you to ', 'You should '];

function orderItems(): Item[] {
  const tails = OWN_TAILS.split('\n');
  const deeds = lines(OWN_DEEDS).flatMap((deed, at) =>
    [0, 1, 2].map(
      (turn) => capitalised(LEADS[(at + turn) % LEADS.length]! + deed) + tails[(at + turn * 3) % tails.length]!,
    ),
  );
  return [...lines(OWN_ORDERS), ...deeds].map((text, at) => item('en', 'own-orders', at, text, false, 'user'));
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
