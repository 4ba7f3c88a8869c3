/** Up to two words before the kind of service: `stock service`, `the orders database`. */
const DESCRIBED = [
  /\b((?:[a-z][\w-]{0,30} ){0,2}(?:database|server|service|host|backend|upstream|cluster|broker|cache|gateway|queue|api)) (?:is |was |are )?(?:temporarily |currently )?(?:unavailable|unreachable|down|offline)\b/i,
  /\bconnect(?:ion)? (?:to|with) ((?:[a-z][\w-]{0,30} ){0,2}(?:database|server|service|host|backend|upstream|cluster|broker|cache|gateway|queue|api))\b/i,
];
/** Words that are no part of a name. */
const NO_NAME = new Set(
  'the a an this that our your its is because error http status code with and as since when to of for from by'.split(
    ' ',
  ),
);
/** Codes of the operating system and of Node.js, such as `ECONNREFUSED` and `ERR_SOCKET_BAD`. */
const ERROR_CODE =
  /^(?:E(?:CONN|TIMEDOUT|NOTFOUND|AI_|HOST|NET|PIPE|ADDR|PROTO|SOCKET)\w{0,30}|(?:[A-Z]{2,8}_)?ERR_\w{1,60})$/;
/** Kinds that any failed call has. */
const GENERAL = new Set(['server', 'service', 'host', 'api', 'gateway']);

/** `the orders database`, if the error names what was down or unreachable; null if it names no more than a service. */
export function describedService(message: string): string | null {
  for (const pattern of DESCRIBED) {
    const words = pattern.exec(message.slice(0, READ_CHARACTERS))?.[1]?.split(' ') ?? [];
    const own = words.slice(
      words.findLastIndex((word) => NO_NAME.has(word.toLowerCase()) || ERROR_CODE.test(word)) + 1,
    );
    const isGeneral = own.length === 1 && GENERAL.has(own[0]!.toLowerCase());
    if (own.length > 0 && !isGeneral) return `the ${own.join(' ')}`;
  }
  return null;
}

const READ_CHARACTERS = 400;
