import { nsToMs, type Span } from '../../core/span.ts';
import { MISSTEP } from '../misstep/attributes.ts';
import { runOfCall, sourceOfCall, timeOfCall } from './call-source.ts';

/**
 * The model calls of an OpenClaw session, each once, from all of its sources: transcript, conversation of `agent_end`,
 * measured calls, sums of runs. Texts and tokens come from transcript or conversation, times from the measuring hook. It
 * processes a whole session, so the order of arrival is irrelevant. Other spans are unchanged.
 */
export function joinOpenClawCalls(spans: readonly Span[]): readonly Span[] {
  const bySource = Map.groupBy(spans, sourceOfCall);
  const [transcript = [], conversation = [], measured = [], runs = []] = [
    bySource.get('transcript'),
    bySource.get('conversation'),
    bySource.get('measured'),
    bySource.get('run'),
  ];
  if ([transcript, conversation, measured, runs].filter(({ length }) => length > 0).length < 2) return spans;
  const messageCalls = joinMessages(transcript, conversation);
  const calls = joinMeasured(messageCalls, measured);
  return [...(bySource.get(undefined) ?? []), ...joinRuns(calls, runs)];
}

/** A conversation message equals the transcript message with the same time. */
function joinMessages(transcript: readonly Span[], conversation: readonly Span[]): Span[] {
  const written = new Map(transcript.map((span) => [timeOfCall(span), span]));
  for (const span of conversation) {
    const same = written.get(timeOfCall(span));
    written.set(
      timeOfCall(span),
      same === undefined ? span : { ...same, attributes: { ...span.attributes, ...same.attributes } },
    );
  }
  return [...written.values()].sort(byMoment);
}

/** A call's message has the time of its request. Tolerance between a sender's clock and the receipt of a hook. */
const APART_MS = 1_000;

/** A measured call without a message is a separate call, such as a failed one that was retried. */
function joinMeasured(messageCalls: readonly Span[], measured: readonly Span[]): Span[] {
  const pairs = new Map<Span, Span>();
  const unmatched = [false, true].flatMap((isFailed) =>
    pair(
      messageCalls.filter((message) => hasFailed(message) === isFailed),
      measured.filter((call) => hasFailed(call) === isFailed),
      pairs,
    ),
  );
  return [...messageCalls.map((message) => withTimes(message, pairs.get(message))), ...unmatched];
}

function hasFailed({ status }: Span): boolean {
  return status.code === 2;
}

/** Pairs by order if a run has as many messages as calls, else by time. Returns the calls without a message. */
function pair(messages: readonly Span[], calls: readonly Span[], pairs: Map<Span, Span>): Span[] {
  const messagesOf = Map.groupBy(messages, runOfCall);
  const rest: Span[] = [];
  for (const [run, callsOfRun] of Map.groupBy(calls, runOfCall)) {
    const messagesOfRun = messagesOf.get(run) ?? [];
    const sorted = [...callsOfRun].sort(byMoment);
    if (messagesOfRun.length === sorted.length)
      for (const [at, call] of sorted.entries()) pairs.set(messagesOfRun[at]!, call);
    else for (const call of sorted) rest.push(call);
  }
  const free = messages.filter((message) => !pairs.has(message));
  return pairByTime(free, rest.sort(byMoment), pairs);
}

/** Both lists are in time order. Returns the measured calls without a message. */
function pairByTime(messages: readonly Span[], calls: readonly Span[], pairs: Map<Span, Span>): Span[] {
  let at = 0;
  return calls.filter((call) => {
    const [startMs, endMs] = [nsToMs(call.startNs), nsToMs(call.endNs ?? call.startNs)];
    while (at < messages.length && timeOfCall(messages[at]!) < startMs - APART_MS) at += 1;
    const distance = (place: number) => Math.abs(timeOfCall(messages[place]!) - startMs);
    while (at + 1 < messages.length && distance(at + 1) < distance(at)) at += 1;
    const message = messages[at];
    if (message === undefined || timeOfCall(message) > endMs + APART_MS) return true;
    pairs.set(message, call);
    at += 1;
    return false;
  });
}

function withTimes(message: Span, call: Span | undefined): Span {
  if (call === undefined) return message;
  const status = message.status.code === 2 ? message.status : call.status;
  const attributes = { ...call.attributes, ...message.attributes };
  return { ...message, status, startNs: call.startNs, endNs: call.endNs, attributes };
}

/** The request of a run belongs to its first call; its answer and tokens to the last one, unless the calls have their own. */
function joinRuns(calls: readonly Span[], runs: readonly Span[]): Span[] {
  const joined = [...calls].sort(byMoment);
  const placesOf = placesOfRuns(joined);
  const unmatched: Span[] = [];
  for (const run of runs) {
    const places = placesOf(run);
    const [first, last] = [places[0], places.at(-1)];
    if (first === undefined || last === undefined) {
      unmatched.push(run);
      continue;
    }
    const hasWords = places.some((place) => sourceOfCall(joined[place]!) !== 'measured');
    joined[first] = withAttributes(joined[first]!, run, ASKED);
    if (!hasWords) joined[last] = withAttributes(joined[last]!, run, ANSWERED);
  }
  return [...joined, ...unmatched];
}

/** Indices of the calls of a run: by its id if both have one, else by time. @param calls in time order */
function placesOfRuns(calls: readonly Span[]): (run: Span) => number[] {
  const moments = calls.map(timeOfCall);
  const all = [...calls.keys()];
  const byId = Map.groupBy(all, (place) => runOfCall(calls[place]!));
  const within = (places: readonly number[], run: Span): number[] => {
    const endMs = run.endNs === null ? Number.POSITIVE_INFINITY : nsToMs(run.endNs);
    const isBefore = (place: number) => moments[place]! < nsToMs(run.startNs) - APART_MS;
    const isNotAfter = (place: number) => moments[place]! <= endMs + APART_MS;
    return places.slice(countWhile(places, isBefore), countWhile(places, isNotAfter));
  };
  return (run) => {
    const id = runOfCall(run);
    if (id === null) return within(all, run);
    const unnamed = within(byId.get(null) ?? [], run);
    return [...(byId.get(id) ?? []), ...unnamed].sort((one, other) => one - other);
  };
}

/** Number of leading elements of a sorted list for which the condition holds, in logarithmic time. */
function countWhile(places: readonly number[], holds: (place: number) => boolean): number {
  let [low, high] = [0, places.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(places[middle]!)) low = middle + 1;
    else high = middle;
  }
  return low;
}

const ASKED = [MISSTEP.task, 'gen_ai.input.messages'];
const ANSWERED = /^(?:gen_ai\.(?:output\.|usage\.|response\.)|misstep\.cost_usd$)/;

function withAttributes(call: Span, run: Span, wanted: readonly string[] | RegExp): Span {
  const isWanted = (key: string) => (wanted instanceof RegExp ? wanted.test(key) : wanted.includes(key));
  const given = Object.entries(run.attributes).filter(([key]) => isWanted(key));
  return { ...call, attributes: { ...call.attributes, ...Object.fromEntries(given) } };
}

function byMoment(one: Span, other: Span): number {
  return timeOfCall(one) - timeOfCall(other);
}
