/** A value that can be compared: a weekday, a time or a number. */
interface Value {
  kind: 'weekday' | 'time' | 'number';
  /** As written. */
  text: string;
  /** Equal for equal values. */
  key: string;
  at: number;
}

/** The two values of a message such as "I meant Sunday, not Saturday". */
export interface RejectedValue {
  kind: 'weekday' | 'time' | 'number';
  wanted: string;
  rejected: string;
}

/** Monday to Sunday in English, German, Spanish, French, Portuguese, Polish, Russian, Chinese and Japanese. */
const WEEKDAYS: readonly RegExp[] = [
  /(?<!\p{L})(?:mondays?|montags?|lunes|lundis?|segunda(?:-feira)?|poniedzia\p{L}{1,4}|понедельник\p{L}{0,2})(?!\p{L})|(?:星期|周|礼拜)一|月曜/giu,
  /(?<!\p{L})(?:tuesdays?|dienstags?|martes|mardis?|terça(?:-feira)?|wtor\p{L}{1,4}|вторник\p{L}{0,2})(?!\p{L})|(?:星期|周|礼拜)二|火曜/giu,
  /(?<!\p{L})(?:wednesdays?|mittwochs?|miércoles|mercredis?|quarta(?:-feira)?|środ\p{L}{1,2}|сред[ауыое]\p{L}?)(?!\p{L})|(?:星期|周|礼拜)三|水曜/giu,
  /(?<!\p{L})(?:thursdays?|donnerstags?|jueves|jeudis?|quinta(?:-feira)?|czwart\p{L}{1,4}|четверг\p{L}{0,2})(?!\p{L})|(?:星期|周|礼拜)四|木曜/giu,
  /(?<!\p{L})(?:fridays?|freitags?|viernes|vendredis?|sexta(?:-feira)?|piąt\p{L}{1,4}|пятниц\p{L}{1,2})(?!\p{L})|(?:星期|周|礼拜)五|金曜/giu,
  /(?<!\p{L})(?:saturdays?|samstags?|sonnabends?|sábados?|samedis?|sobot\p{L}{1,2}|суббот\p{L}{1,2})(?!\p{L})|(?:星期|周|礼拜)六|土曜/giu,
  /(?<!\p{L})(?:sundays?|sonntags?|domingos?|dimanches?|niedziel\p{L}{1,3}|воскресень\p{L}{1,2})(?!\p{L})|(?:星期|周|礼拜)[日天]|日曜/giu,
];
const TIME = /(?<![\d.,:/-])\d{1,2}[:h]\d{2}(?![\d:/-])/g;
const NUMBER = /(?<![\p{L}\d.,:/_-])\d{1,9}(?=(?:st|nd|rd|th|er|e|º|ª)?(?![\p{Script=Latin}\d:/_-]|[.,]\d))/gu;
/** A negation right before a value, with at most two short words in between. */
const BEFORE =
  /(?:(?<!\p{L})(?:not|instead of|rather than|nicht|statt|anstatt|anstelle von|no|en vez del?|en lugar del?|pas|au lieu d[eu]|não|em vez d[eo]|em lugar de|nie|zamiast|не|вместо)\s(?:(?!than|then|als|que)\p{L}{1,4}\s){0,2}|(?:而不是|不是|不要|代替))$/iu;
/** A negation right after a value. */
const AFTER = /^(?:日|の)?(?:\p{Script=Katakana}|\p{Script=Han}|時|分){0,4}(?:ではな|じゃな|でな)/u;
const MESSAGE_LIMIT = 300;
const LEAD = 40;

/**
 * The value that a message rejects and the one that it names in its place: both of one kind, and no third one of that kind.
 * Null without such a pair.
 */
export function rejectedValue(message: string): RejectedValue | null {
  if (message.length > MESSAGE_LIMIT) return null;
  const values = valuesIn(message);
  for (const value of values) {
    if (!isRejected(message, value)) continue;
    const others = values.filter(({ kind, key }) => kind === value.kind && key !== value.key);
    const wanted = others.filter((other) => !isRejected(message, other));
    if (others.length === 1 && wanted.length === 1)
      return { kind: value.kind, wanted: wanted[0]!.text, rejected: value.text };
  }
  return null;
}

function isRejected(message: string, { at, text }: Value): boolean {
  return (
    BEFORE.test(message.slice(Math.max(0, at - LEAD), at)) ||
    AFTER.test(message.slice(at + text.length, at + text.length + LEAD))
  );
}

/** Whether a text contains a value in any of its written forms: `19:00` is also `7:00`, and `7` with a full hour. */
export function containsValue(text: string, value: string): boolean {
  const own = new Set(valuesIn(value).flatMap(formsOf));
  return valuesIn(text).some((one) => formsOf(one).some((form) => own.has(form)));
}

function formsOf({ kind, key }: Value): string[] {
  if (kind === 'weekday') return [key];
  const [hour, minute] = key.split(':');
  if (kind === 'number') return Number(key) > 24 ? [key] : [key, `${key}:00`, `${(Number(key) + 12) % 24}:00`];
  const other = `${(Number(hour) + 12) % 24}`;
  return minute === '00' ? [key, hour!, other, `${other}:00`] : [key, `${other}:${minute}`];
}

function valuesIn(text: string): Value[] {
  const days = WEEKDAYS.flatMap((form, day) =>
    Array.from(
      text.matchAll(form),
      ({ 0: found, index }): Value => ({ kind: 'weekday', text: found, key: `day ${day}`, at: index }),
    ),
  );
  const times = Array.from(text.matchAll(TIME), ({ 0: found, index }): Value => {
    const [hour, minute] = found.split(/[:h]/);
    return { kind: 'time', text: found, key: `${Number(hour)}:${minute}`, at: index };
  });
  const numbers = Array.from(
    text.matchAll(NUMBER),
    ({ 0: found, index }): Value => ({ kind: 'number', text: found, key: `${Number(found)}`, at: index }),
  );
  return [...days, ...times, ...numbers].sort((a, b) => a.at - b.at);
}
