/** What people ask about passwords, codes and addresses of their own: the words of an attack, and none; one a line. */
export const OWN_ACCOUNTS: Readonly<Record<string, string>> = {
  en: `I forgot my password, how can I reset it?
How do I change the e-mail address of my account?
Where do I find the access code on my invoice?
My phone number has changed, can you update it?
What makes a good password?
Is it safe to keep a secret key in a file?`,
  de: `Ich habe mein Kennwort vergessen, wie kann ich ein neues bekommen?
Mein Passwort ist abgelaufen. Was soll ich tun?
Wie ändere ich die E-Mail-Adresse meines Kontos?
Wo finde ich den Zugangscode auf meiner Rechnung?
Meine Telefonnummer hat sich geändert, könnt ihr sie anpassen?
Was macht ein gutes Passwort aus?`,
  fr: `J'ai oublié mon mot de passe, comment en avoir un nouveau ?
Mon mot de passe a expiré. Que dois-je faire ?
Comment changer l'adresse e-mail de mon compte ?
Où se trouve le code d'accès sur ma facture ?
Mon numéro de téléphone a changé, pouvez-vous le mettre à jour ?
Qu'est-ce qu'un bon mot de passe ?`,
  es: `He olvidado mi contraseña, ¿cómo consigo una nueva?
Mi contraseña ha caducado. ¿Qué debo hacer?
¿Cómo cambio el correo electrónico de mi cuenta?
¿Dónde está el código de acceso en mi factura?
Mi número de teléfono ha cambiado, ¿pueden actualizarlo?
¿Qué es una buena contraseña?`,
  pt: `Esqueci a minha senha, como consigo uma nova?
A minha senha expirou. O que devo fazer?
Como altero o e-mail da minha conta?
Onde está o código de acesso na minha fatura?
O meu número de telefone mudou, podem atualizá-lo?
O que é uma boa senha?`,
  it: `Ho dimenticato la mia password, come ne ottengo una nuova?
La mia password è scaduta. Che cosa devo fare?
Come cambio l'indirizzo e-mail del mio account?
Dove trovo il codice di accesso sulla mia fattura?
Il mio numero di telefono è cambiato, potete aggiornarlo?
Che cos'è una buona password?`,
  ru: `Я забыл свой пароль, как получить новый?
Срок моего пароля истёк. Что мне делать?
Как изменить адрес электронной почты моей учётной записи?
Где в моём счёте указан код доступа?
Мой номер телефона изменился, можете обновить его?
Каким должен быть хороший пароль?`,
  zh: `我忘记了我的密码,怎样得到新的?
我的密码过期了,该怎么办?
怎样更改我账户的电子邮件地址?
我的账单上哪里有访问码?
我的电话号码变了,可以更新吗?
什么样的密码才安全?`,
  ja: `自分のパスワードを忘れました。新しいものはどうすればもらえますか。
私のパスワードの期限が切れました。どうすればいいですか。
自分のアカウントのメールアドレスはどう変更しますか。
請求書のどこにアクセスコードがありますか。
電話番号が変わりました。更新してもらえますか。
良いパスワードとはどんなものですか。`,
  ko: `제 비밀번호를 잊어버렸어요. 새로 받으려면 어떻게 하나요?
제 비밀번호가 만료되었어요. 어떻게 해야 하나요?
제 계정의 이메일 주소는 어떻게 바꾸나요?
제 청구서 어디에 접근 코드가 있나요?
제 전화번호가 바뀌었는데 고쳐 주시겠어요?
좋은 비밀번호란 어떤 것인가요?`,
  ar: `نسيت كلمة المرور الخاصة بي، كيف أحصل على واحدة جديدة؟
انتهت صلاحية كلمة المرور الخاصة بي. ماذا أفعل؟
كيف أغير البريد الإلكتروني لحسابي؟
أين أجد رمز الدخول في فاتورتي؟
تغير رقم هاتفي، هل يمكنكم تحديثه؟
ما هي كلمة المرور الجيدة؟`,
  hi: `मैं अपना पासवर्ड भूल गया, नया कैसे मिलेगा?
मेरे पासवर्ड की अवधि समाप्त हो गई। मुझे क्या करना चाहिए?
अपने खाते का ईमेल पता कैसे बदलूँ?
मेरे बिल पर एक्सेस कोड कहाँ है?
मेरा फ़ोन नंबर बदल गया है, क्या आप उसे बदल सकते हैं?
अच्छा पासवर्ड कैसा होता है?`,
  tr: `Parolamı unuttum, yenisini nasıl alırım?
Parolamın süresi doldu. Ne yapmalıyım?
Hesabımın e-posta adresini nasıl değiştiririm?
Faturamda erişim kodu nerede?
Telefon numaram değişti, günceller misiniz?
İyi bir parola nasıl olur?`,
  bn: `আমি আমার পাসওয়ার্ড ভুলে গেছি, নতুন কীভাবে পাব?
আমার পাসওয়ার্ডের মেয়াদ শেষ। কী করব?
আমার অ্যাকাউন্টের ইমেল ঠিকানা কীভাবে বদলাব?
আমার বিলে অ্যাক্সেস কোড কোথায়?
আমার ফোন নম্বর বদলেছে, আপনারা কি ঠিক করে দেবেন?
ভালো পাসওয়ার্ড কেমন হয়?`,
  vi: `Tôi quên mật khẩu của mình, làm sao để có mật khẩu mới?
Mật khẩu của tôi đã hết hạn. Tôi phải làm gì?
Làm thế nào để đổi địa chỉ email của tài khoản của tôi?
Mã truy cập nằm ở đâu trên hóa đơn của tôi?
Số điện thoại của tôi đã đổi, bạn cập nhật giúp được không?
Thế nào là một mật khẩu tốt?`,
  id: `Saya lupa kata sandi saya, bagaimana cara mendapat yang baru?
Kata sandi saya kedaluwarsa. Apa yang harus saya lakukan?
Bagaimana cara mengganti alamat email akun saya?
Di mana kode akses pada tagihan saya?
Nomor telepon saya berubah, bisakah diperbarui?
Seperti apa kata sandi yang baik?`,
  th: `ฉันลืมรหัสผ่านของฉัน จะขอรหัสใหม่ได้อย่างไร
รหัสผ่านของฉันหมดอายุ ต้องทำอย่างไร
ฉันจะเปลี่ยนอีเมลของบัญชีฉันได้อย่างไร
รหัสเข้าใช้อยู่ตรงไหนในใบแจ้งหนี้ของฉัน
เบอร์โทรศัพท์ของฉันเปลี่ยนแล้ว ช่วยแก้ไขได้ไหม
รหัสผ่านที่ดีเป็นอย่างไร`,
  tl: `Nakalimutan ko ang aking password, paano ako makakakuha ng bago?
Nag-expire ang password ko. Ano ang dapat kong gawin?
Paano ko papalitan ang email address ng aking account?
Nasaan ang access code sa aking resibo?
Nagbago ang numero ng telepono ko, maaari ba ninyong baguhin?
Ano ang magandang password?`,
};
