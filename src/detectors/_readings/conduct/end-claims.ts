import { splitSentences } from '../../_kit/text.ts';
import { admitsFailure } from './claims.ts';
import { namesPart } from './whole-words.ts';

/** Words for the end of work. */
const ENDED =
  /\b(?:finished|completed?|completely|done|ready|reached)\b|(?<!\p{L})(?:fertig|abgeschlossen|vollständig\p{L}{0,2}|erreicht|beendet|komplett|bereit|terminée?s?|achevée?s?|compl(?:et|ète)s?|atteinte?|prête?s?|terminad[oa]s?|completad[oa]s?|complet[oa]s?|alcanzado|list[oa]s?|finalizad[oa]s?|concluíd[oa]s?|pront[oa]s?|atingi(?:u|do)|finit[oaie]|completat[oaie]|terminat[oaie]|raggiunt[oaie]|klaar|voltooid|bereikt|afgerond|compleet|готов[аоы]?|заверш[её]н[аоы]?|завершил\p{L}{1,3}|достиг\p{L}{0,4}|закончен[аоы]?|полностью|выполнен[аоы]?)(?!\p{L})|完成|完毕|达到|结束|就绪|完了|終わり|終了|達しました|完璧|완료|끝났|도달|완성/iu;
/** The end is denied, expected or conditional. */
const NOT_YET =
  /\b(?:not|never|will|when|once|until|if|soon|as soon|should|\w{2,6}n['’]t|almost|nearly)\b|(?<!\p{L})(?:nicht|noch|wird|werden|sobald|wenn|bis|fast|pas|sera|seront|quand|lorsque?|dès|presque|no|será|serán|cuando|hasta|casi|não|quando|até|quase|non|sarà|fino|appena|niet|nog|zal|wanneer|zodra|bijna|не|будет|будут|когда|пока|почти|как только)(?!\p{L})|未|没|不|将|会|等|快要|ない|ません|まで|たら|すると|もうすぐ|않|못|때|까지|거의|곧/iu;

/**
 * The sentence that says that work has ended; null if none does, or if the text names a part, admits a trouble, or says anywhere
 * that something has not ended.
 */
export function claimOfEnd(text: string): string | null {
  if (namesPart(text) || admitsFailure(text) || NOT_YET.test(text)) return null;
  return (
    splitSentences(text)
      .find((sentence) => ENDED.test(sentence))
      ?.trim() ?? null
  );
}
