/**
 * Vocabulary of attacks on language models, by role in the sentence. English, German, French, Spanish, Portuguese, Italian
 * and Russian share the sets: the words of a sentence come from one language, so they do not mix.
 */
function words(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/));
}

export const OVERRIDE = words(`
  ignore ignoring overlook disregard disregarding forget override overrides overriding bypass bypassing overwrite neglect discard dismiss
  ignoriere ignorieren ignoriert ignorier missachte missachten vergiss vergessen überschreibe
  ignorez ignorer oublie oubliez oublier négligez contourne contournez
  ignora ignorar ignoren ignoré olvida olvide olvidar omite omita anula descarta
  ignorem desconsidere desconsiderar esqueça esquecer esquece despreze
  ignorare ignorate dimentica dimenticate dimenticare trascura
  игнорируй игнорируйте игнорировать проигнорируй проигнорируйте забудь забудьте отмени отмените пренебреги`);

/** Words that refer to the model's existing instructions. */
export const PRIOR = words(`
  previous prior above earlier preceding former initial original your foregoing past existing aforementioned
  vorherigen vorherige vorigen vorige bisherigen bisherige obigen obige früheren ursprünglichen deine deinen ihre vorangegangenen
  précédentes précédents précédente précédent antérieures antérieurs initiales vos tes ci-dessus
  anteriores anterior previas previos previa iniciales tus sus
  prévias prévios acima iniciais suas seus
  precedenti precedente iniziali tue tuoi sopra
  предыдущие предыдущих предыдущую прежние прошлые все вышеуказанные свои ваши твои`);

export const ANY = words(`
  all any the these those every everything anything alle sämtliche die toutes tous les todas todos las los tutte tutti le as os все`);

/** Names for instructions of a model, which other documents do not use. */
export const DIRECTIVE = words(`
  instruction instructions prompt prompts guideline guidelines directive directives programming
  anweisung anweisungen instruktion instruktionen vorgaben befehle eingabeaufforderung
  consigne consignes directives
  instrucción instrucciones indicaciones directrices instruções instrução diretrizes comandos
  istruzione istruzioni direttive comandi
  инструкции инструкций инструкцию указания указаний команды промпт`);

/** Names for instructions of a model that also have other meanings. */
export const LOOSE_DIRECTIVE = words(`
  rules orders commands context task tasks text messages message conversation constraints restrictions safeguards policies policy training
  directions content regeln aufgaben kontext règles ordres contexte reglas órdenes contexto regras regole ordini contesto правила контекст`);

export const REVEAL = words(`
  reveal show print repeat output display tell leak disclose expose give share dump recite write summarize echo spell
  zeige zeig verrate nenne gib wiederhole drucke montre montrez révèle révélez affiche affichez répète répétez donne donnez
  muestra muéstrame revela repite imprime dime mostre revele repita diga mostra rivela ripeti stampa dimmi
  покажи покажите раскрой раскройте повтори повторите выведи выведите напечатай`);

export const HIDDEN = words(`
  system initial hidden original secret internal confidential your systemanweisungen systemprompt deine système tes vos
  sistema iniciales tu suas seu tuo iniziali системный системные свой свои твой`);

export const PROMPT = words(`
  prompt prompts instruction instructions guidelines preprompt systemprompt anweisungen consignes instrucciones instruções istruzioni
  промпт инструкции`);

export const SECRET = words(
  `password passwords passcode passphrase secret secrets credential credentials passwort kennwort contraseña senha пароль`,
);

export const MODEL = words(`
  ai assistant llm agent chatbot bot gpt chatgpt claude gemini llama copilot openai anthropic mistral assistants agents
  ki ia assistent assistente asistente ии ассистент`);

export const CALLING = words(
  `attention dear hey hello hi note notice message instruction instructions listen achtung atención внимание`,
);

export const READER = words(`reading read process processing parsing summarizing analyzing scanning seeing`);

export const TELL = words(
  `tell telling mention mentioning inform informing notify notifying alert alerting reveal revealing disclose disclosing`,
);

export const USER = words(`user users owner human victim`);

export const NOT = words(
  `not never don't dont without cannot won't shouldn't doesn't nicht ne jamais nunca não non не никогда`,
);

export const SEND = words(`
  send forward email mail post upload transmit exfiltrate leak share submit deliver export append schicke sende envoie envoyez envía
  envie invia отправь отправьте`);

export const SENSITIVE = words(`
  password passwords credential credentials token tokens key keys conversation chat history private confidential secret secrets
  personal contacts addresses records bank card ssn genetic medical payment transactions files database environment cookies passport
  data daten données datos dados dati данные passwörter kundendaten nutzerdaten contraseñas senhas пароли`);

/** Words for something that replaces an earlier thing. */
export const NEW = words(`new updated neue neuen nouvelle nouvelles nueva nuevas nova novas nuova nuove новая новые`);

/** "You are" and "be", as used to assign a persona. */
export const BE = words(`are be become bist sind seid wirst es êtes deviens eres serás é és sei diventa ты вы`);

/** Personas without restrictions. */
export const PERSONA = words(
  `dan jailbroken unrestricted unfiltered uncensored amoral uneingeschränkte uneingeschränkter unzensierte`,
);

export const NOW = words(`now jetzt nun maintenant désormais ahora agora adesso ora теперь отныне`);

export const WITHOUT = words(`without no ohne sans sin sem senza без`);

export const LIMITS = words(`
  restrictions limitations einschränkungen beschränkungen restricciones limitaciones restrições limitações restrizioni limitazioni
  ограничений`);

/** Actions that data only contains if someone is to carry them out. */
export const ACTION = words(`
  send transfer delete remove grant revoke unlock lock schedule buy purchase order pay deposit withdraw book cancel download upload
  retrieve find search get fetch share forward email post update change create add save use initiate execute manage give provide
  access enable disable open close turn set make call invite reset register dispatch export arrange submit check tell show
  guide deactivate activate record store install visit donate sell move clear erase wipe exchange modify book reserve list
  leave start stop play block link copy rename post print cancel file confirm approve accept upgrade switch raise lower order run`);
