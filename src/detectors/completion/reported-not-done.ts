import type { Trace } from '../../core/trace.ts';
import { hasKnownEnd } from '../_kit/completeness.ts';
import { cut, oneLine, splitSentences, stepsText } from '../_kit/text.ts';
import { onlyText } from '../_readings/calls/argument-roles.ts';
import { toolUses } from '../_readings/calls/calls.ts';
import { agentTurns, conversation } from '../_readings/conduct/conversation.ts';
import { checkFix } from '../_readings/conduct/remedy.ts';
import { closingCall } from '../_readings/conduct/submissions.ts';
import { needsAnswer } from './abandoned-run.ts';
import { admittedFailures, admittedText } from './admitted-failures.ts';
import { PASSES_ANSWER } from './own-verdict.ts';
import type { Verdict } from './verdict.ts';

const READ_CHARACTERS = 4_000;

/** `I was unable to determine`, `We could not find`, `Failed to retrieve`: the agent and what it did not manage to do. */
const ENGLISH_INABILITY =
  /(?:^|\b(?:I|we) (?:have |had )?)(?:(?:(?:was|were|been) )?(?:unable|not able) to|(?:was|were)n['’]t able to|could not|couldn['’]t|did(?: not|n['’]t) manage to|failed to)(?: directly| also| \w{2,12}ly)? (?<verb>\p{L}{2,20})(?<object>(?: \S{1,40}){0,3})/iu;
/** Verbs for obtaining what was requested. A refused action, such as a cancellation, is not among them. */
const OBTAINS =
  /^(?:find|locat|retriev|extract|determin|access|obtain|get|identif|complet|finish|answer|comput|calculat|read|open|view|reach|return|navigat|fulfil|solv|provid|gather|collect|fetch|achiev|load)/i;
/** `could not find any free table` may be the answer. `could not find any information` is not. */
const FINDS_NONE =
  /^ (?:any|an?|another|(?:other|more|further)\b)(?! (?:information|info|details?|data|answers?|way|source)\b)(?! \S{1,40} (?:named|called|titled)\b)/i;

const OTHER_INABILITY = [
  /(?<!\p{L})(?:ich|wir) (?:konnten?|habe|haben) [^.!?\n]{0,160}nicht (?:finden|gefunden|abrufen|ermitteln|öffnen|lesen|abschließen|beantworten|herausfinden|laden|erreichen)(?!\p{L})/iu,
  /(?<!\p{L})(?:je n['’]ai|nous n['’]avons) (?:malheureusement )?pas (?:pu|réussi à) (?:trouver|récupérer|déterminer|ouvrir|lire|terminer|répondre|accéder|obtenir|extraire)(?!\p{L})/iu,
  /(?<!\p{L})no (?:pude|pudimos|he podido|hemos podido|logré|logramos|conseguí) (?:encontrar|obtener|recuperar|determinar|abrir|leer|completar|responder|acceder|extraer)(?!\p{L})/iu,
  /(?<!\p{L})não (?:consegui|conseguimos|pude|pudemos) (?:encontrar|obter|recuperar|determinar|abrir|ler|concluir|completar|responder|acessar|extrair)(?!\p{L})/iu,
  /(?<!\p{L})non (?:sono riuscit[oa] a|siamo riusciti a|ho potuto) (?:trovare|ottenere|recuperare|determinare|aprire|leggere|completare|rispondere|accedere|estrarre)(?!\p{L})/iu,
  /(?<!\p{L})(?:ik|wij|we) (?:kon|konden|heb|hebben) [^.!?\n]{0,160}niet (?:vinden|gevonden|ophalen|bepalen|openen|lezen|voltooien|beantwoorden)(?!\p{L})/iu,
  /(?:我|我们)(?:未能|没能|无法|没有办法)(?:[^。！？\n]{0,20})(?:找到|获取|确定|打开|读取|完成|回答|提取)/u,
  /(?<!\p{L})не (?:удалось|смогл?[аи]?|получилось) (?:найти|получить|определить|открыть|завершить|выполнить|прочитать|извлечь)(?!\p{L})/iu,
  /(?<!\p{L})nie (?:udało (?:mi |nam )?się|mogłem|mogłam|mogliśmy) (?:znaleźć|uzyskać|ustalić|otworzyć|odczytać|ukończyć|wykonać|pobrać)(?!\p{L})/iu,
  /(?<!\p{L})(?:bulamadım|bulamadık|alamadım|tamamlayamadım|erişemedim|belirleyemedim|açamadım)(?!\p{L})/iu,
  /(?:لم أتمكن من|لم أستطع|تعذر علي) (?:العثور|الحصول|تحديد|فتح|إكمال|الوصول|قراءة)/u,
  /(?:찾|검색|조회|확인|완료|처리|실행|가져오|불러오|수행)[^.!?\n]{0,8}(?:는 데 실패했|지 못했|을 수 없(?:었|습)|할 수 없(?:었|습)|올 수 없(?:었|습))/u,
  /(?:見つける|取得する|特定する|判断する|読み取る|開く|確認する|完了する|回答する|アクセスする)ことができませんでした/u,
  /(?:特定|確認|取得|判断|判定|抽出|算出|計算|読み取り|完了|回答|アクセス)(?:が|は)?できませんでした/u,
  /(?:開け|読め|読み取れ|得られ|調べられ|たどり着け|分かり|わかり)ませんでした/u,
];

const JAPANESE_NOT_FOUND = /(?:は|が(?!ら)|を)[^。、\n]{0,10}(?:見つかり|見つけられ)ませんでした/u;
/** Nothing of this kind exists, which may be the answer. */
const JAPANESE_NONE =
  /該当|条件|空室|空席|空き|合う|一致|他に|ほかに|以外|エラー|問題|バグ|不具合|異常|重複|違反|脆弱性|誤り|違い/u;
const JAPANESE_ASKS_FOR_ANY = /(?:あります|いますか|ある？|探し|さがし|検索し)/u;

const TASK_UNDONE = [
  /\b(?<noun>task|request|goal|objective)\b[^.!?\n]{0,160}\b(?:(?:(?:can)?not|n['’]t) (?:yet |fully |been |be )*(?:completed?|finished|done|achieved|fulfilled)|incomplete|unsuccessful)\b/iu,
  /\b(?:did not|didn['’]t|not yet|not fully) (?:complete|completed|finish|fulfil|fulfill|achieve) the (?<noun>task|request|goal|objective)\b/iu,
  /\b(?:can(?:not|['’]t| not)|unable to|could not|couldn['’]t) (?:complete|finish|accomplish|solve) (?:(?:the|this|your) )?(?:\p{L}{2,20} )?(?<noun>task)\b/iu,
  /(?<noun>aufgabe|auftrag)\b[^.!?\n]{0,80}(?:nicht (?:abgeschlossen|erledigt|erfüllt)|unvollständig)/iu,
  /(?<noun>tâche)\b[^.!?\n]{0,80}(?:pas (?:été )?(?:terminée|achevée|accomplie)|incomplète)/iu,
  /(?<noun>tarea|tarefa)\b[^.!?\n]{0,80}(?:no (?:se ha |se pudo |está )?complet|não (?:foi |está )?(?:conclu|complet)|incomplet)/iu,
  /(?<noun>任务)(?:尚|还)?(?:未|没有)(?:能)?完成/u,
  /(?<noun>タスク)(?:は|を)(?:まだ)?完了(?:していません|できませんでした)/u,
];
/** `Attempts to open the page were unsuccessful`: counts where the message begins with it. */
const EFFORT_UNDONE =
  /^(?:I |we |the )?(?:repeated |several |multiple |all )?(?:attempt|effort|search|tried|trying)(?:s|es|ed|ing)?\b[^.!?\n]{0,240}\b(?:unsuccessful|without success|incomplete)\b/iu;
/** The first sentence describes an attempt: the outcome follows. */
const DESCRIBES_ATTEMPT = /^(?:I |we )?(?:have |had )?(?:attempt(?:s|ed)?|tried)\b/iu;

const CONDITIONAL = /\b(?:if|would|should|might|may|whether|unless|until|otherwise)\b/iu;
const SUCCEEDED =
  /\bsuccessfully\b|\ball done\b|\b(?:has|have) been (?:completed|created|sent|updated|added|cancelled|canceled|booked)\b|\btask is (?:now )?(?:complete|done)\b|erfolgreich|avec succès|con éxito|com sucesso|con successo|成功/iu;
/** The message waits for the user. */
const ASKS =
  /[?？؟]|\bplease (?:provide|specify|confirm|check|clarify|share|tell|send|give|try)\b|\blet me know (?:which|what|where|when|how|whether)\b|(?<!\p{L})bitte (?:geben|nennen|teilen|prüfen)/iu;
/** Reasoning that some models write into their answers. */
const REASONING = /<(?<tag>think|thinking|reasoning|memory)>[^<]{0,8000}<\/\k<tag>>/giu;

/**
 * The answer of a run with one request says that what was requested was not found out or not done. Not reported if the
 * message asks the user, reports success, or says so only after other results. After two failed calls in a row, any
 * sentence counts in which the agent says that it cannot do something.
 */
export function reportedNotDone(trace: Trace): Verdict | null {
  if (!hasKnownEnd(trace) || trace.status === 'error' || !needsAnswer(trace)) return null;
  const last = lastMessage(trace);
  if (last === null) return null;
  const requests = conversation(trace).filter(({ by }) => by === 'user');
  const uses = toolUses(trace);
  const hasWorked = uses.some(({ step }) => step < last.step) || agentTurns(trace).length > 1;
  if (requests.length > 1 || !hasWorked || (uses.at(-1)?.step ?? -1) > last.step) return null;
  const failed = failuresBefore(trace, last.step);
  const sentence =
    sentenceOfFailure(last.text, requests[0]?.text ?? trace.task ?? '') ??
    (failed.length >= MIN_FAILED ? sentenceOfInability(last.text) : null);
  return sentence === null ? null : verdictOf(trace, last, sentence, failed);
}

/** Fewer failed calls do not show that the agent had to give up. */
const MIN_FAILED = 2;

/** Steps of the failed calls after which no call of the run worked. */
function failuresBefore(trace: Trace, step: number): number[] {
  const uses = toolUses(trace).filter((use) => use.step < step);
  return uses.slice(uses.findLastIndex(({ isError }) => !isError) + 1).map((use) => use.step);
}

interface LastMessage {
  step: number;
  agent: string | null;
  text: string;
  /** Where the text is recorded. */
  path: 'output' | 'tool.arguments';
}

/** The last message of an agent, or the text with which its last call ends the run. */
function lastMessage(trace: Trace): LastMessage | null {
  const last = conversation(trace).at(-1);
  const closing = closingCall(trace);
  const answer = closing !== null && PASSES_ANSWER.test(closing.name) ? onlyText(closing.arguments) : null;
  if (answer !== null && closing!.step >= (last?.step ?? 0))
    return { step: closing!.step, agent: closing!.agent, text: answer, path: 'tool.arguments' };
  if (last === undefined || last.by !== 'agent' || last.calls.length > 0) return null;
  return { step: last.step, agent: last.agent, text: last.text, path: 'output' };
}

/** The sentence in which an answer says that the request was not carried out; null if none does. */
export function sentenceOfFailure(answer: string, request: string): string | null {
  const text = answer.slice(0, READ_CHARACTERS).replace(REASONING, ' ').trim();
  if (ASKS.test(text)) return null;
  const hasSucceeded = SUCCEEDED.test(text);
  const sentences = sentencesOf(text);
  const found = sentences.find((sentence, at) => {
    if (CONDITIONAL.test(sentence)) return false;
    if (isTaskUndone(sentence, request)) return true;
    if (answersQuestion(sentence, request)) return false;
    const isFirst = at <= 1 || DESCRIBES_ATTEMPT.test(sentences[0]!);
    return isFirst && !hasSucceeded && (isInability(sentence, request) || EFFORT_UNDONE.test(sentence));
  });
  return found ?? null;
}

/** A question whether something exists, or can be reached. Each form is next to the sentences that answer it with no. */
const CLOSED_QUESTIONS: readonly (readonly [question: RegExp, no: RegExp])[] = [
  [
    /^(?:(?:do|does|did) [^?.!\n]{0,120}\b(?:exist|have)\b|(?:is|are|was|were) there\b|¿?existen?\b|¿?hay\b|gibt es\b|existiert\b|est-ce que [^?.!\n]{0,120}\bexiste|y a-t-il\b|c['’]è\b|esiste\b)[^?.!\n]{0,160}\?$/iu,
    /\b(?:find|locate|finden|gefunden|encontrar|trouver|trovare)\b/iu,
  ],
  [
    /^(?:(?:can|could) (?:you|we) (?:reach|access|connect to|open|ping) (?:(?!\b(?:and|then|to)\b)[^?.!\n]){0,120}|(?:is|are) [^?.!\n]{0,120}\b(?:reachable|accessible|up|online|down|offline)|(?:kannst du|können wir|ist) [^?.!\n]{0,120}\berreich(?:en|bar)|¿?puedes acceder a [^?.!\n]{0,120}|peux-tu (?:accéder à|joindre) [^?.!\n]{0,120})\s?\?$/iu,
    /\b(?:reach|access|connect|open|ping|load|erreichen|acceder|accéder|joindre)\b/iu,
  ],
];
/** The data of the answer, and not the thing itself, was not found. */
const LACKS_DATA =
  /\b(?:information|info|details?|data|answers?|documentation|Informationen|información|informations)\b/iu;
const QUESTION_CHARACTERS = 200;

/** Whether the sentence is the "no" to a request that is a single question. */
function answersQuestion(sentence: string, request: string): boolean {
  // The dots of an address or a file name end no sentence.
  const question = request.trim().replace(/\.(?=\S)/g, '_');
  if (question.length > QUESTION_CHARACTERS || LACKS_DATA.test(sentence)) return false;
  return CLOSED_QUESTIONS.some(([asked, no]) => asked.test(question) && no.test(sentence));
}

function sentencesOf(text: string): string[] {
  return splitSentences(text)
    .map((sentence) => sentence.replace(/^[\s>*#-]{1,10}/u, '').trim())
    .filter((sentence) => sentence !== '');
}

const INABILITY = [
  /\b(?:I|we) (?:am |are |was |were )?(?:\p{L}{2,12}ly )?(?:unable to|not able to|(?:was|were)n['’]t able to|could(?: not|n['’]t)|can ?not|can['’]t) \p{L}{2}/iu,
  /(?<!\p{L})(?:ich|wir) (?:kann|können|konnten?) [^.!?\n]{0,160}nicht(?!\p{L})/iu,
  /(?<!\p{L})(?:je ne (?:peux|pouvais)|nous ne (?:pouvons|pouvions)) (?:malheureusement )?pas(?!\p{L})|(?<!\p{L})je n['’]ai (?:malheureusement )?pas (?:pu|réussi)(?!\p{L})/iu,
  /(?<!\p{L})no (?:puedo|podemos|pude|pudimos|he podido|hemos podido|logré|logramos) \p{L}{2}/iu,
  /(?<!\p{L})não (?:posso|podemos|consigo|conseguimos|consegui|pude|pudemos) \p{L}{2}/iu,
  /(?<!\p{L})non (?:posso|possiamo|riesco a|riusciamo a|sono riuscit[oa] a|ho potuto) \p{L}{2}/iu,
  /(?<!\p{L})(?:ik|wij|we) (?:kan|kunnen|kon|konden) [^.!?\n]{0,160}niet(?!\p{L})/iu,
  /(?:我|我们)(?:未能|没能|无法|不能|没有办法)/u,
  /(?:できませんでした|できません)/u,
  /(?<!\p{L})(?:я|мы) не (?:могу|можем|смогл?[аи]?)(?!\p{L})|(?<!\p{L})не удалось(?!\p{L})/iu,
  /(?<!\p{L})nie (?:mogę|możemy|mogłem|mogłam|udało się)(?!\p{L})/iu,
  /(?:는 데 실패했|지 못했|[을할올] 수 없(?:었|습))/u,
];
const INABILITY_CHARACTERS = 1_000;

/** The sentence in which an answer after failed calls says that the agent could not do something; null if none does. */
export function sentenceOfInability(answer: string): string | null {
  const text = answer.slice(0, INABILITY_CHARACTERS).replace(REASONING, ' ').trim();
  if (ASKS.test(text)) return null;
  const isReported = (sentence: string) => !CONDITIONAL.test(sentence) && INABILITY.some((form) => form.test(sentence));
  return sentencesOf(text).find(isReported) ?? null;
}

function isInability(sentence: string, request: string): boolean {
  const groups = ENGLISH_INABILITY.exec(withoutOpening(sentence))?.groups;
  if (groups === undefined) return OTHER_INABILITY.some((form) => form.test(sentence)) || isNotFound(sentence, request);
  return OBTAINS.test(groups.verb!) && !(/^find/i.test(groups.verb!) && FINDS_NONE.test(groups.object!));
}

function isNotFound(sentence: string, request: string): boolean {
  return JAPANESE_NOT_FOUND.test(sentence) && !JAPANESE_NONE.test(sentence) && !JAPANESE_ASKS_FOR_ANY.test(request);
}

/** `Unfortunately, unable to …` */
function withoutOpening(sentence: string): string {
  return sentence.replace(/^(?:unfortunately|however|therefore|sorry|thus|but)\b,? /iu, '');
}

/** Whether a sentence says that the task is not done. If the request is about tasks, they are the content of the answer. */
function isTaskUndone(sentence: string, request: string): boolean {
  return TASK_UNDONE.some((form) => {
    const noun = form.exec(sentence)?.groups?.noun;
    if (noun === undefined) return false;
    const about = request.toLowerCase();
    return !about.includes(`${noun.toLowerCase()}s`) && !about.includes(`my ${noun.toLowerCase()}`);
  });
}

function verdictOf(
  trace: Trace,
  { step, agent, path }: LastMessage,
  sentence: string,
  failed: readonly number[],
): Verdict {
  const name = agent ?? trace.steps[step]!.name;
  const quote = cut(oneLine(sentence), 200);
  const admitted = admittedFailures(trace, agent, step);
  const from = admitted?.since ?? admitted?.steps[0];
  const read =
    from === undefined
      ? `Read the reason at step ${step} and the results before it.`
      : `Read the messages from step ${from} on, in which ${name} reports failures, and the results before them. Have ${name} take another way after the second such message in a row.`;
  return {
    subtype: 'reported_not_done',
    score: 0.66,
    step,
    steps: [step],
    agent,
    explanation: `The run ended at step ${step} with ${name} saying that it did not do what was requested: "${quote}".${lastCallText(trace, step, failed)}${admittedText(name, admitted)}`,
    suggestedAction: `${read} Make what ${name} could not reach available, or pass such a request to another agent or a person.`,
    evidence: [{ kind: 'text', step, path, quote: sentence }],
    fix: checkFix('workflow_change', {
      title: 'Handle answers that say the request was not carried out',
      target: `what follows the answer of ${name}`,
      description: `Let ${name} state with its answer whether the request was carried out, for example in a field of a structured answer. If it was not, start another attempt with the reason, or notify a person.`,
      after:
        'if the answer says that the request was not carried out: start another attempt with the reason, or notify a person',
      why: `${name} says that it did not carry out the request, and the run counts as finished.`,
    }),
    key: name,
  };
}

/** The last calls before the answer, as a sentence with a leading space. */
function lastCallText(trace: Trace, step: number, failed: readonly number[]): string {
  const use = toolUses(trace).findLast((one) => one.step < step);
  if (failed.length >= MIN_FAILED) return ` The last ${failed.length} calls before it failed (${stepsText(failed)}).`;
  if (use === undefined) return '';
  return ` The last call before it was ${use.name} at step ${use.step}${use.isError ? ', which failed' : ''}.`;
}
