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
  /** An announcement of the first search, and one of the second search after the result of the first. */
  searchKiel: string;
  searchRiga: string;
  notFound: string;
  /** A request with two quantities, and an answer that changes the first one. */
  trip: string;
  tripAnswer: string;
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
    searchKiel: 'Let me look for the parcel in Kiel.',
    searchRiga: 'It is not in Kiel. Now I will look in Riga.',
    notFound: 'I could not find the parcel: the page asks for a login.',
    trip: 'Plan my trip: 4 days in Oslo, 3 days in Bergen.',
    tripAnswer: 'You spend 2 days in Oslo, 3 days in Bergen.',
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
    searchKiel: 'Zuerst suche ich das Paket in Kiel.',
    searchRiga: 'Es ist nicht in Kiel. Nun werde ich in Riga suchen.',
    notFound: 'Ich konnte das Paket nicht finden: die Seite verlangt eine Anmeldung.',
    trip: 'Plane meine Reise: 4 Tage in Oslo, 3 Tage in Bergen.',
    tripAnswer: 'Du verbringst 2 Tage in Oslo, 3 Tage in Bergen.',
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
    searchKiel: 'Voy a buscar el paquete en Kiel.',
    searchRiga: 'No está en Kiel. Ahora voy a buscar en Riga.',
    notFound: 'No pude encontrar el paquete: la página pide iniciar sesión.',
    trip: 'Planea mi viaje: 4 días en Oslo, 3 días en Bergen.',
    tripAnswer: 'Pasas 2 días en Oslo, 3 días en Bergen.',
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
    searchKiel: 'Poszukam paczki w Kilonii.',
    searchRiga: 'Nie ma jej w Kilonii. Teraz poszukam w Rydze.',
    notFound: 'Nie udało mi się znaleźć paczki: strona wymaga logowania.',
    trip: 'Zaplanuj podróż: 4 dni w Oslo, 3 dni w Bergen.',
    tripAnswer: 'Spędzasz 2 dni w Oslo, 3 dni w Bergen.',
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
    searchKiel: 'まずキールで荷物を検索します。',
    searchRiga: 'キールにはありません。次にリガで検索します。',
    notFound: '荷物の場所を特定できませんでした。ページがログインを要求しています。',
    trip: '旅行を計画してください：オスロに4日、ベルゲンに3日。',
    tripAnswer: 'オスロに2日、ベルゲンに3日です。',
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
    searchKiel: 'سأبحث عن الطرد في كيل.',
    searchRiga: 'ليس في كيل. الآن سأبحث في ريغا.',
    notFound: 'لم أتمكن من العثور على الطرد: الصفحة تطلب تسجيل الدخول.',
    trip: 'خطط رحلتي: 4 أيام في أوسلو و3 أيام في بيرغن.',
    tripAnswer: 'تقضي 2 أيام في أوسلو و3 أيام في بيرغن.',
  },
};
