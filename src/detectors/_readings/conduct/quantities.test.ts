import { expect, test } from 'vitest';
import { quantitiesIn } from './quantities.ts';

const textsOf = (text: string, names?: readonly string[]) =>
  quantitiesIn(text, names === undefined ? null : new Set(names)).map(
    ({ name, value, unit }) => `${name} ${value} ${unit}`,
  );

test.each([
  ['We want to stay in Bergen for 6 nights.', ['bergen 6 night']],
  ['Plan 4 nights in Oslo, 2 nights in Bodø.', ['oslo 4 night', 'bodø 2 night']],
  ['The plan (Oslo: 4 nights, Bodø: 2 nights) fits.', ['oslo 4 night', 'bodø 2 night']],
  ['We give Oslo (4 nights) and then Bodø (2 nights).', ['oslo 4 night', 'bodø 2 night']],
  ['Enjoy a 3-night stay in Oslo.', ['oslo 3 night']],
  ['Bring 12 crates to dock_7 and 5 crates to dock_9.', ['dock_7 12 crate']],
  ['We saw Oslo with its 9 piers in 4 nights.', ['oslo 9 pier']],
  ['Wir bleiben in Bergen 6 Nächte.', []],
  ['Plane die Reise: 4 Tage in Oslo, 3 Tage in Bergen.', ['oslo 4 tage', 'bergen 3 tage']],
  ['Wir planen Oslo: 4 Tage, Bergen (3 Tage).', ['oslo 4 tage', 'bergen 3 tage']],
  ['4 Tische für Oslo und 3 Tische für Bergen', ['oslo 4 tische', 'bergen 3 tische']],
  ['旅行を計画してください：オスロに4日、京都に3日間。', ['オスロ 4 日', '京都 3 日']],
  ['オスロ（４泊）、ベルゲン（3泊）', ['オスロ 4 泊', 'ベルゲン 3 泊']],
  ['请安排旅行：在奥斯陆住4天，在卑尔根停留3天。', ['奥斯陆 4 天', '卑尔根 3 天']],
  ['奥斯陆4个晚上、卑尔根3个晚上', ['奥斯陆 4 个晚上', '卑尔根 3 个晚上']],
  ['여행을 계획해 주세요: 오슬로에서 4일, 베르겐에서 3일을 보냅니다.', ['오슬로 4 일', '베르겐 3 일']],
  ['خطط رحلتي: 4 أيام في أوسلو و3 أيام في بيرغن.', ['أوسلو 4 أيام', 'بيرغن 3 أيام']],
  ['خطط رحلتي: ٤ أيام في Oslo و٣ أيام في Bergen.', ['oslo 4 أيام', 'bergen 3 أيام']],
  ['Zaplanuj podróż: 4 dni w Oslo, 3 dni w Bergen.', ['oslo 4 dni', 'bergen 3 dni']],
  ['Сначала в Осло 4 дня, потом в Берген 3 дня.', ['осло 4 дня', 'берген 3 дня']],
  ['Gezimi planla: 4 gün Oslo, 3 gün Bergen.', ['oslo 4 gün', 'bergen 3 gün']],
  ['Pasamos en Sevilla 3 noches.', ['sevilla 3 noche']],
])('%s', (text, expected) => {
  expect(textsOf(text)).toEqual(expected);
});

test.each([
  ['a position in a series', 'Stay for 9 nights. Be in Oslo on night 4 or night 5 please.'],
  ['two names that are equally near', 'We saw Oslo 4 nights Bodø there.'],
  ['a name of another sentence', 'We like Oslo. 4 nights are too long.'],
  ['a number without a unit', 'We reach Oslo at 9.'],
  ['the number of a route', 'Take Route 7 Oslo and Route 9 Oslo to Bergen.'],
  ['the number of a version', 'We ship Version 2 Beta for Windows and Version 3 Beta for Linux.'],
  ['a single capitalised word after a number', 'Fahre mit Linie 7 Hafen und dann zum Markt.'],
  ['dates', 'オスロに5月4日、ベルゲンに5月7日に着きます。'],
  ['dates in Korean', '오슬로에 5월 4일, 베르겐에 5월 7일 도착합니다.'],
  ['times', 'オスロに4時、ベルゲンに7時に着きます。'],
  ['numbered days', 'オスロ1日目、ベルゲン2日目'],
  ['numbered days in Chinese', '奥斯陆第1天，卑尔根第2天'],
  ['numbered lines', '在奥斯陆坐4号线，在卑尔根坐3号线。'],
])('nothing for %s', (_, text) => {
  expect(textsOf(text)).toEqual([]);
});

test('external names are recognized in any spelling and place', () => {
  expect(textsOf('OSLO 4 nights.\nbodø: 2 nights.', ['oslo', 'bodø'])).toEqual(['oslo 4 night', 'bodø 2 night']);
  expect(textsOf('Du bist 3 Tage in Oslo.', ['oslo'])).toEqual(['oslo 3 tage']);
  expect(textsOf('您在奥斯陆停留3天，在卑尔根3天。', ['奥斯陆', '卑尔根'])).toEqual(['奥斯陆 3 天', '卑尔根 3 天']);
});
