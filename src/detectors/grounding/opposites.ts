const PAIRS = (
  'first last|first second|first third|second third|before after|increase decrease|increased decreased|rise fall|rose fell|more less|more fewer|' +
  'most least|best worst|largest smallest|highest lowest|higher lower|high low|large small|big small|long short|old new|older younger|oldest youngest|early late|earlier later|' +
  'male female|man woman|men women|boy girl|father mother|son daughter|brother sister|husband wife|king queen|he she|his her|' +
  'north south|east west|northern southern|eastern western|left right|top bottom|win lose|won lost|wins loses|buy sell|bought sold|open close|opened closed|' +
  'start end|began ended|begin end|allow prevent|allowed banned|legal illegal|alive dead|born died|accept reject|accepted rejected|succeed fail|pass fail|passed failed|' +
  'all some|always never|always sometimes|every some|only also|usually rarely|often rarely|many few|inside outside|above below|over under|up down|major minor|' +
  'positive negative|active inactive|public private|single double|singular plural|rich poor|hot cold|warm cold|strong weak|easy hard|easy difficult|safe dangerous|' +
  'wild domestic|indoor outdoor|summer winter|day night|morning evening|january december|enabled disabled|approved denied|included excluded|with without|' +
  'possible impossible|able unable|common rare|true false|yes no|present absent|guilty innocent|convicted acquitted|arrested released|attack defend|friend enemy|import export'
).split('|');

/** Words that cannot both be said of the same thing. */
export const OPPOSITES: ReadonlyMap<string, readonly string[]> = (() => {
  const map = new Map<string, string[]>();
  const add = (a: string, b: string) => { const list = map.get(a); if (list) list.push(b); else map.set(a, [b]); };
  for (const pair of PAIRS) { const [a, b] = pair.split(' ') as [string, string]; add(a, b); add(b, a); }
  return map;
})();
