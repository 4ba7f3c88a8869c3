/** Two to twelve, and zero, in languages that write small numbers as words. */
const NUMBER_WORDS: readonly string[][] = [
  'zero two three four five six seven eight nine ten eleven twelve'.split(' '),
  'null zwei drei vier fünf sechs sieben acht neun zehn elf zwölf'.split(' '),
  'zéro deux trois quatre cinq six sept huit neuf dix onze douze'.split(' '),
  'cero dos tres cuatro cinco seis siete ocho nueve diez once doce'.split(' '),
  'zero due tre quattro cinque sei sette otto nove dieci undici dodici'.split(' '),
  'zero dois três quatro cinco seis sete oito nove dez onze doze'.split(' '),
  'nul twee drie vier vijf zes zeven acht negen tien elf twaalf'.split(' '),
  'zero dwa trzy cztery pięć sześć siedem osiem dziewięć dziesięć jedenaście dwanaście'.split(' '),
  'ноль два три четыре пять шесть семь восемь девять десять одиннадцать двенадцать'.split(' '),
];
/** Frequent words of another meaning in these languages. */
const AMBIGUOUS: ReadonlySet<string> = new Set(['null', 'due', 'sei', 'once']);
const WORD_VALUES: ReadonlyMap<string, number> = new Map(
  NUMBER_WORDS.flatMap((words) => words.map((word, at) => [word, at === 0 ? 0 : at + 1] as const)).filter(
    ([word]) => !AMBIGUOUS.has(word),
  ),
);

/** The value of a number word in lower case; undefined for other words. */
export function writtenNumber(word: string): number | undefined {
  return WORD_VALUES.get(word);
}
