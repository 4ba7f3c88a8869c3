import { isAscii } from '../_kit/text.ts';
import type { FamilyHit } from './families.ts';
import { findEncodedText, findHiddenText, mayHaveHiddenText } from './hidden-text.ts';
import type { LineMarks, PlacedLine } from './reading-memo.ts';

/** Imitations of another speaker: chat templates, role headings, and blocks that look like the agent's program. */
const FAKE_ROLE =
  /<\|(?:im_start|im_end|system|assistant|user|endoftext|eot_id)\||\[\/?INST\]|<<\/?SYS>>|<\/?(?:information|system|important|admin|tool_result|tool_response|user_query)>|\[(?:system|admin|end of (?:system )?(?:prompt|instructions?))\b|##[ #]{0,2}(?:system|new instructions?)\b/gi;

/** A page comment, invisible to readers, that claims to come from the system or addresses the model. */
const ROLE_COMMENT =
  /<!--\s{0,4}(?:(?:system|système|systeme|sistema|система|系统|システム|시스템|assistant|ai|ki|ia|llm|agent|model)\s{0,3}[:：]|(?:note|message|instructions?|anweisung(?:en)?|instrucciones|istruzioni|consignes|инструкци[ия]) (?:to|for|an|für|para|per|pour|для) (?:[\p{L}]{1,5} ){0,2}(?:ai|ki|ia|ии|llms?|assist[ae]nt\p{L}{0,2}|agents?|(?:language )?models?|chatbots?)(?!\p{L}))/giu;

/** First characters of these marks; brackets alone are frequent in code and data. */
const ROLE_OPENS = /<[|</isatu]|\[[/isea]|##/i;

/** A placeholder in an image address that the model should fill in. Displaying the image then sends the data. */
const PLACEHOLDER = /[{[<]|%7B|DATA|SECRET|CONVERSATION|SUMMARY|PROMPT|HISTORY/;
const ALT_LIMIT = 120;
const ADDRESS_LIMIT = 400;

/** Override instructions in scripts without spaces, or in inflected languages. */
const OTHER_LANGUAGE: readonly RegExp[] = [
  /(?:忽略|无视|無視|忽視|忘记|忘掉|不要理会|不要遵守)[^。\n]{0,12}(?:之前|以前|以上|上述|先前|前面|所有|一切|你的)[^。\n]{0,10}(?:指令|指示|提示|命令|规则|規則|说明|說明|要求)/g,
  /(?:以前|上記|これまで|今まで|前述|すべて|全て|前)[^。\n]{0,10}(?:指示|命令|プロンプト|ルール|説明)[^。\n]{0,6}(?:無視|忘れ|破棄)/g,
  /(?:이전|위의|앞의|모든|기존)[^.\n]{0,12}(?:지시|명령|프롬프트|지침|규칙)[^.\n]{0,8}(?:무시|잊)/g,
  /(?:تجاهل|انس)[^.\n]{0,12}(?:التعليمات|الأوامر|تعليمات)/g,
  /(?:पिछले|पिछली|सभी|पूर्व)[^।\n]{0,14}(?:निर्देश|आदेश)[^।\n]{0,12}(?:अनदेखा|नज़रअंदाज़|नजरअंदाज|भूल)/g,
];
const OTHER_SCRIPT = /[\u0600-\u06ff\u0900-\u097f\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]/;
/** "New instructions:" and "you are now …" in the same languages. */
const OTHER_LANGUAGE_INSTRUCTION =
  /新的?(?:指令|指示|任务|命令|要求)\s{0,2}[:：]|(?:新しい|新規の?)(?:指示|命令)\s{0,2}[:：]|새로운 (?:지시|명령)[^:：\n]{0,4}[:：]|你现在是[^。\n]{0,20}(?:DAN|没有(?:任何)?限制|不受限制)|あなたは(?:今|これから)[^。\n]{0,20}(?:DAN|制限のない)/g;
const OTHER_LANGUAGE_REVEAL =
  /(?:显示|输出|打印|告诉我|透露|重复|泄露)[^。\n]{0,10}(?:系统提示|提示词|初始指令|系统指令)|(?:システムプロンプト|初期指示)[^。\n]{0,8}(?:表示|教えて|出力)/g;

export interface MarkHits {
  hits: FamilyHit[];
  /** Whether a line contains invisible characters. */
  hasHiddenText: boolean;
}

/** Matches of everything except word patterns. */
export function markHits(text: string, lines: readonly PlacedLine[]): MarkHits {
  const roles: FamilyHit[] = [];
  let [hasOtherScript, hasHiddenText] = [false, false];
  for (const { start, read } of lines) {
    read.marks ??= lineMarks(read.text);
    hasOtherScript ||= read.marks.hasOtherScript;
    hasHiddenText ||= read.marks.hasHiddenText;
    for (const role of read.marks.fakeRoles)
      roles.push({ start: role.start + start, end: role.end + start, family: 'fake_role', weight: 0.35 });
    for (const role of read.marks.roleComments)
      roles.push({ start: role.start + start, end: role.end + start, family: 'fake_role', weight: 0.6 });
  }
  const images = leakingImages(text).map((hit) => ({ ...hit, family: 'exfiltration' as const, weight: 0.65 }));
  const otherLanguage = hasOtherScript ? otherLanguageHits(text) : [];
  return { hits: [...roles, ...images, ...otherLanguage, ...(hasHiddenText ? hiddenHits(text) : [])], hasHiddenText };
}

function lineMarks(line: string): LineMarks {
  const fakeRoles = ROLE_OPENS.test(line) ? matches(line, FAKE_ROLE) : [];
  const roleComments = line.includes('<!--') ? matches(line, ROLE_COMMENT) : [];
  const isPlain = isAscii(line);
  return {
    fakeRoles,
    roleComments,
    hasOtherScript: !isPlain && OTHER_SCRIPT.test(line),
    hasHiddenText: !isPlain && mayHaveHiddenText(line),
  };
}

function hiddenHits(text: string): FamilyHit[] {
  return findHiddenText(text).map(({ start, end, decoded }) => ({
    start,
    end,
    family: 'hidden_text' as const,
    weight: decoded.includes(' ') ? 0.85 : 0.5,
  }));
}

/** Markdown images with a placeholder after the `?` of their address. */
function leakingImages(text: string): { start: number; end: number }[] {
  const found: { start: number; end: number }[] = [];
  for (let start = text.indexOf('!['); start !== -1; start = text.indexOf('![', start + 2)) {
    const middle = text.slice(start, start + ALT_LIMIT).indexOf('](http');
    if (middle === -1) continue;
    const address = text.slice(start + middle + 2, start + middle + ADDRESS_LIMIT);
    const close = address.indexOf(')');
    const query = address.slice(0, close).indexOf('?');
    if (close !== -1 && query !== -1 && PLACEHOLDER.test(address.slice(query, close))) {
      found.push({ start, end: start + middle + 2 + close + 1 });
    }
  }
  return found;
}

function otherLanguageHits(text: string): FamilyHit[] {
  return [
    ...OTHER_LANGUAGE.flatMap((pattern) => matches(text, pattern)).map((hit) => ({
      ...hit,
      family: 'override' as const,
      weight: 0.8,
    })),
    ...matches(text, OTHER_LANGUAGE_INSTRUCTION).map((hit) => ({ ...hit, family: 'new_orders' as const, weight: 0.6 })),
    ...matches(text, OTHER_LANGUAGE_REVEAL).map((hit) => ({ ...hit, family: 'reveal_prompt' as const, weight: 0.6 })),
  ];
}

function matches(text: string, pattern: RegExp): { start: number; end: number }[] {
  return [...text.matchAll(pattern)].map((match) => ({ start: match.index, end: match.index + match[0].length }));
}

/** Base64 texts whose content is an attack: `scan` is applied to the decoded text. */
export function encodedHits(text: string, scan: (decoded: string) => number): FamilyHit[] {
  return findEncodedText(text).flatMap(({ start, end, decoded }) =>
    scan(decoded) >= 0.5 ? [{ start, end, family: 'encoded_text' as const, weight: 0.85 }] : [],
  );
}
