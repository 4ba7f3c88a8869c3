import type { SessionItem } from './session.record.ts';
import { contentWords, isSimilar } from './similarity.ts';
import type { SessionWeek } from './week.record.ts';

type RepeatedCorrection = SessionWeek['corrections'][number];
type Proposal = SessionWeek['proposals'][number];

interface Cluster {
  words: Set<string>;
  texts: string[];
  sessions: SessionItem[];
}

const MAX_CORRECTIONS = 20;
const MIN_SESSIONS = 2;
const MAX_LINE_LENGTH = 160;

/** Clusters of similar corrections per project, those with the most sessions first. */
export function repeatedCorrections(items: readonly SessionItem[]): RepeatedCorrection[] {
  const projects = Map.groupBy(items, ({ project }) => project);
  const found = [...projects].flatMap(([project, sessions]) =>
    clustersOf(sessions).map((cluster) => ({
      project,
      text: shortest(cluster.texts),
      times: cluster.texts.length,
      sessions: [...new Set(cluster.sessions.map(({ sessionId }) => sessionId))],
    })),
  );
  return found
    .sort((one, other) => other.sessions.length - one.sessions.length || other.times - one.times)
    .slice(0, MAX_CORRECTIONS);
}

/** Each text joins the first cluster whose first text is similar. */
function clustersOf(items: readonly SessionItem[]): Cluster[] {
  const clusters: Cluster[] = [];
  for (const item of items) {
    for (const text of item.digest?.corrections ?? []) {
      const words = contentWords(text);
      const known = clusters.find((cluster) => cluster.texts.includes(text) || isSimilar(cluster.words, words));
      if (known === undefined) clusters.push({ words, texts: [text], sessions: [item] });
      else {
        known.texts.push(text);
        known.sessions.push(item);
      }
    }
  }
  return clusters;
}

/** A line for the project's agent instructions file, if the same correction occurred in several sessions. */
export function proposalsOf(corrections: readonly RepeatedCorrection[], items: readonly SessionItem[]): Proposal[] {
  const agents = new Map(items.map(({ sessionId, agent }) => [sessionId, agent]));
  return corrections
    .filter(({ sessions, text }) => sessions.length >= MIN_SESSIONS && lineOf(text) !== '')
    .map(({ project, text, sessions }) => ({
      project,
      file: sessions.every((id) => agents.get(id) === 'claude-code') ? ('CLAUDE.md' as const) : ('AGENTS.md' as const),
      line: `- ${lineOf(text)}`,
      because: `corrected in ${sessions.length} sessions`,
      sessions,
    }));
}

const OBJECTION = /^\s*(?:no+|nope|stop|wrong|nein|please|again|i said|i told you(?: to)?)\s*[,.:;!–-]+\s*/i;

/** The first sentence of the correction without its objection, as an instruction. */
function lineOf(text: string): string {
  const plain = text.replace(OBJECTION, '').replace(OBJECTION, '').trim();
  const sentence = (/^.{8,}?[.!?。！？](?=\s|$)/.exec(plain)?.[0] ?? plain).slice(0, MAX_LINE_LENGTH).trim();
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}

function shortest(texts: readonly string[]): string {
  return texts.reduce((best, text) => (text.length < best.length ? text : best));
}
