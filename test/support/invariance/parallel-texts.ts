/** The same sentences in each language; written for these tests. */
export interface Texts {
  task: string;
  look: string;
  again: string;
  done: string;
  link: string;
  page: string;
  broken: string;
  testsPass: string;
}

export const TEXTS: Readonly<Record<string, Texts>> = {
  English: {
    task: 'Where is the parcel with the red lamp?',
    look: 'I look for the parcel.',
    again: 'I look for it again.',
    done: 'The parcel is in the warehouse in Kiel.',
    link: 'The parcel is here:',
    page: 'Parcel found, but the place is not known yet, please ask at the desk',
    broken: 'the index cannot be opened',
    testsPass: 'I changed the loop. All tests pass.',
  },
  German: {
    task: 'Wo ist das Paket mit der roten Lampe?',
    look: 'Ich suche das Paket.',
    again: 'Ich suche es noch einmal.',
    done: 'Das Paket liegt im Lager in Kiel.',
    link: 'Das Paket ist hier:',
    page: 'Paket gefunden, aber der Ort ist noch nicht bekannt, bitte am Schalter fragen',
    broken: 'das Verzeichnis lässt sich nicht öffnen',
    testsPass: 'Ich habe die Schleife geändert. Alle Tests laufen durch.',
  },
  Spanish: {
    task: '¿Dónde está el paquete con la lámpara roja?',
    look: 'Busco el paquete.',
    again: 'Lo busco otra vez.',
    done: 'El paquete está en el almacén de Kiel.',
    link: 'El paquete está aquí:',
    page: 'Paquete encontrado, pero el lugar aún no se conoce, pregunte en la ventanilla',
    broken: 'no se puede abrir el índice',
    testsPass: 'He cambiado el bucle. Todas las pruebas pasan.',
  },
  Polish: {
    task: 'Gdzie jest paczka z czerwoną lampą?',
    look: 'Szukam paczki.',
    again: 'Szukam jej jeszcze raz.',
    done: 'Paczka leży w magazynie w Kilonii.',
    link: 'Paczka jest tutaj:',
    page: 'Paczka znaleziona, ale miejsce nie jest jeszcze znane, proszę pytać w okienku',
    broken: 'nie można otworzyć spisu',
    testsPass: 'Zmieniłem pętlę. Wszystkie testy przechodzą.',
  },
  Japanese: {
    task: '赤いランプの荷物はどこにありますか。',
    look: '荷物を探します。',
    again: 'もう一度探します。',
    done: '荷物はキールの倉庫にあります。',
    link: '荷物はこちらです:',
    page: '荷物は見つかりましたが、場所はまだ分かりませんので窓口でお尋ねください',
    broken: '索引を開けません',
    testsPass: 'ループを変更しました。すべてのテストが通ります。',
  },
  Arabic: {
    task: 'أين الطرد الذي فيه المصباح الأحمر؟',
    look: 'أبحث عن الطرد.',
    again: 'أبحث عنه مرة أخرى.',
    done: 'الطرد في المستودع في كيل.',
    link: 'الطرد هنا:',
    page: 'وُجد الطرد لكن المكان غير معروف بعد لذلك اسأل في المكتب من فضلك',
    broken: 'لا يمكن فتح الفهرس',
    testsPass: 'غيّرت الحلقة. كل الاختبارات ناجحة.',
  },
};
