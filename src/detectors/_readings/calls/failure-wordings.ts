import type { FailureClass, FailureReason } from './failure-cause.ts';

interface Wording {
  class: FailureClass;
  reason?: FailureReason;
  pattern: RegExp;
}

/**
 * Words of error messages. Numbers such as `[Errno 28]` and `[WinError 10061]` are the same in every language.
 * The first match wins: an exhausted quota also returns 429, and a timeout behind a gateway also returns 5xx.
 */
export const WORDINGS: readonly Wording[] = [
  // Errors of n8n and JavaScript for missing data in an expression; n8n names the expression and not the data.
  {
    class: 'schema_mismatch',
    pattern:
      /\bExpressionError\b|but was expecting an? (?:number|string|boolean|object|array|date)|cannot read propert(?:y|ies) (?:'\w{0,80}' )?of (?:undefined|null)|can(?:'t|not) get data for expression|paired item data|no path back to (?:the )?(?:referenced )?node|referenced node doesn't exist|hasn't been executed|JSON parameter needs to be valid JSON|field is not valid JSON/i,
  },
  // The model's output could not be parsed or run: no tool was called.
  {
    class: 'other',
    pattern:
      /\bparsing (?:error|failed)|error in (?:\w+ )?parsing|ParsingError\b|\bSyntaxError\b|\bInterpreterError\b/i,
  },
  {
    class: 'exhaustion',
    reason: 'money',
    pattern:
      /insufficient[_ ]quota|exceeded your current quota|insufficient (?:credits?|funds on account)|credit balance|payment required|no credits? left|out of credits|billing (?:hard )?limit|spending limit/i,
  },
  {
    class: 'exhaustion',
    reason: 'storage',
    pattern:
      /\bENOSPC\b|\bEDQUOT\b|no space left|disk (?:is )?full|disk quota|insufficient storage|\bErrno 28\b|\bWinError 112\b/i,
  },
  {
    class: 'exhaustion',
    reason: 'memory',
    pattern:
      /out of memory|MemoryError|OutOfMemory|\bOOMKilled\b|\bENOMEM\b|memory exhausted|allowed memory size|cannot allocate memory|\bbad_alloc\b|used memory > 'maxmemory'|\bErrno 12\b/i,
  },
  {
    class: 'exhaustion',
    reason: 'open_files',
    pattern: /too many open files|\bEMFILE\b|\bENFILE\b|\bErrno 24\b/i,
  },
  {
    class: 'exhaustion',
    reason: 'connections',
    pattern:
      /too many (?:clients|connections)|max number of clients|connection slots are|QueuePool limit|\bPoolTimeout\b|connection pool (?:is )?(?:exhausted|full)/i,
  },
  {
    class: 'exhaustion',
    reason: 'size',
    pattern:
      /context[_ ]length|maximum context|context window|prompt is too long|(?:payload|entity|request|body|message) (?:is )?too large|message larger than max|header fields too large/i,
  },
  { class: 'exhaustion', reason: 'quota', pattern: /quota (?:has been )?exceeded|QuotaExceeded/i },
  {
    class: 'rate_limit',
    pattern:
      /rate[ _-]?limit|too many requests|throttl|\brate exceeded|throughput ?exceeded|requests per (?:minute|second|day)|tokens per minute/i,
  },
  {
    class: 'other',
    reason: 'lock',
    pattern:
      /database (?:table )?is locked|\bdeadlock|could not serialize access|lock wait timeout|serialization failure|too much contention|(?:could not|unable to|failed to) (?:obtain|acquire|get) (?:an? |the )?lock|\bindex\.lock\b|\bSQLITE_BUSY\b/i,
  },
  {
    class: 'timeout',
    reason: 'no_connection_in_time',
    pattern:
      /\bconnect(?:ion)?(?: attempt)? timed? ?out|connect ETIMEDOUT|connect ?timeout|\d: i\/o timeout|ERR_CONNECTION_TIMED_OUT|\bErrno 110\b|\bWinError 10060\b/i,
  },
  { class: 'timeout', reason: 'gateway_timeout', pattern: /gateway time-?out/i },
  { class: 'timeout', pattern: /timed?[ -]?out|deadline[ _]exceeded|\bETIMEDOUT\b|took too long/i },
  {
    class: 'service',
    reason: 'certificate',
    pattern:
      /\bx509\b|\bPKIX path\b|\bCERT_[A-Z]{2,20}\b|\bERR_CERT_|\bSSLCert|certificate(?:'s)? (?:verify|verification|has expired|is not|error|unknown|signed by|altnames)|cert's altnames|(?:self[- ]signed|unable to verify the first|unable to get local issuer|invalid|expired) certificate/i,
  },
  {
    class: 'service',
    reason: 'tls',
    pattern: /\bSSL(?:Error|HandshakeException|V3)?\b(?!:default)|\bWRONG_VERSION_NUMBER\b|\bTLS handshake|ERR_SSL_/i,
  },
  {
    class: 'service',
    reason: 'name_resolution',
    pattern:
      /\bENOTFOUND\b|\bEAI_[A-Z]{2,12}\b|getaddrinfo|gaierror|name resolution|NameResolution|name or service not known|nodename nor servname|no such host\b|UnknownHost|could ?n[o']t resolve host|could not translate host name|ERR_NAME_NOT_RESOLVED|\bWinError 1100[14]\b/i,
  },
  {
    class: 'auth',
    reason: 'system_permission',
    pattern:
      /\bEACCES\b|\bEPERM\b|operation not permitted|\bErrno (?:1|13)\]|\bWinError 5\]|permission denied[:,]? {0,2}(?:['"~/.]|open\b|[A-Z]:\\)/i,
  },
  {
    class: 'auth',
    reason: 'missing_credential',
    pattern:
      /(?:api[ _-]?key|access[ _-]?token|credentials?)["'`)]{0,2} (?:is |was |are |were )?(?:not (?:set|provided|configured|given)|missing\b)|(?:missing|no) (?:an? )?(?:api[ _-]?key|access[ _-]?token|credentials?)\b|unable to locate credentials|could not find credentials/i,
  },
  {
    class: 'auth',
    pattern:
      /unauthori[sz]ed|unauthenticated|forbidden|authenticat|not authori[sz]ed|authori[sz]ation (?:failed|required|header|error|token)|invalid (?:api[ _-]?key|token|credentials)|api[ _-]?key|permission[ _]denied|access ?denied|expired ?(?:token|credentials)|token (?:has )?expired|login (?:required|failed)|username and password not accepted/i,
  },
  {
    class: 'other',
    reason: 'configuration',
    pattern:
      /(?:missing|unset|undefined) (?:required )?(?:environment|env) (?:variable|var)\b|environment variable \w{1,40} (?:is )?(?:not set|missing|required|undefined)|\bconfiguration error\b|ConfigurationError|ImproperlyConfigured/i,
  },
  {
    class: 'service',
    reason: 'lost_connection',
    pattern:
      /connection (?:was |is |has been )?(?:reset|aborted|closed|lost|terminated)|lost connection|closed the connection|has gone away|\bECONNRESET\b|\bECONNABORTED\b|\bEPIPE\b|broken pipe|socket hang up|peer closed|server disconnected|transport closed|RST_STREAM|response ended prematurely|connection <monitor> to|\bErrno (?:32|104)\b|\bWinError 1005[34]\b/i,
  },
  { class: 'service', reason: 'overloaded', pattern: /overloaded/i },
  { class: 'service', reason: 'gateway', pattern: /bad gateway/i },
  { class: 'service', reason: 'server_error', pattern: /internal server error|server error/i },
  {
    class: 'service',
    pattern:
      /connection (?:refused|error)|\bECONN\w+|service (?:is )?(?:temporarily )?unavailable|(?<!resource )temporarily unavailable|network (?:is )?(?:error|unreachable)|no route to host|failed to fetch|fetch failed|(?:database|server|service|host|backend|upstream) (?:is )?(?:unavailable|unreachable|down)|perhaps (?:it|the server|the service) is offline|(?:cannot|can't|could not|unable to|failed to) connect\b|connect call failed|all connection attempts failed|\b\d{0,2} ?UNAVAILABLE:|NoBrokersAvailable|ServerSelectionError|\bConnectException\b|ERR_CONNECTION_REFUSED|ERR_INTERNET_DISCONNECTED|TNS:no listener|\bEHOSTUNREACH\b|\bENETUNREACH\b|\bErrno 111\b|\bWinError 10061\b/i,
  },
  {
    class: 'other',
    reason: 'cancelled',
    pattern:
      /\b(?:AbortError|\w{0,40}Cancell?edError|KeyboardInterrupt|SIGINT)\b|context cancell?ed|(?:request|operation|call|execution|generation) (?:was |has been )?(?:aborted|cancell?ed|interrupted)|^\W{0,5}(?:aborted|cancell?ed|interrupted|stopped) (?:manually|by (?:the |a )?user)|\buser (?:has )?(?:aborted|cancell?ed|interrupted|stopped) (?:the|this|a) (?:request|operation|call|execution|run|generation)|^\W{0,5}(?:(?:die |der )?(?:Ausführung|Anfrage|Aufruf|Lauf|Vorgang) )?(?:wurde )?vom (?:Benutzer|Nutzer|Anwender) (?:abgebrochen|gestoppt)|^\W{0,5}(?:(?:exécution|requête) )?(?:annulée?|interrompue?|arrêtée?) par l['’]utilisat|^\W{0,5}(?:(?:ejecución|solicitud|execução|solicitação) )?(?:cancelad|interrumpid|detenid|interrompid)[oa] (?:por el usuario|pel[oa] (?:usuário|utilizador))|^\W{0,5}(?:przerwan|anulowan)[eaoy] przez użytkownika|^\W{0,5}(?:отменен|отменён|прерван)[оаы]? пользователем|^\W{0,5}(?:被)?用户(?:取消|中止|中断)|^\W{0,5}ユーザーによ(?:って|り)(?:キャンセル|中断|中止)/i,
  },
  {
    class: 'other',
    reason: 'killed',
    pattern:
      /^\W{0,3}killed\W{0,3}$|process (?:was |has been |got )?killed|signal: killed|\bSIGKILL\b|exit (?:status|code):? 137\b/i,
  },
  {
    class: 'other',
    reason: 'content_filter',
    pattern: /content[ _](?:filter|management policy|policy violation)|responsible ai policy/i,
  },
  {
    class: 'other',
    reason: 'read_only',
    pattern:
      /read-only file system|\bEROFS\b|\bErrno 30\b|read only replica|read-only transaction|attempt to write a readonly database/i,
  },
  {
    class: 'not_found',
    reason: 'missing_package',
    pattern:
      /no module named|cannot find (?:module|package)|cannot open shared object file|command not found|ClassNotFoundException|(?:shared library|\blib[\w.+-]{1,60}\.(?:so|dylib|dll)[\d.]{0,12}:?) (?:\S{1,80} )?(?:was |is )?not found|\b(?:ba|z|da|k|a)?sh: (?:line )?(?:\d{1,5}: )?[\w.+-]{1,40}: not found/i,
  },
  // A part that the content should have: what was requested exists, and its content is broken.
  {
    class: 'other',
    pattern:
      /\b(?:EOF|end[- ]of[- ]file|end of central directory|central directory|(?:file )?header|footer|trailer|marker|delimiter|separator|(?:closing|opening|start|end) (?:tag|bracket|brace|quote|quotation mark)|boundary|magic (?:number|bytes?)|byte order mark|signature|xref(?: table)?)(?: \w{2,12}){0,2} (?:was |is |were )?(?:not found|missing)\b|(?:could not|cannot|can't) find (?:the |an? )?(?:\w{2,12} ){0,2}(?:EOF|marker|delimiter|separator|boundary|byte order mark|(?:closing|end) (?:tag|bracket|brace|quote))\b/i,
  },
  {
    class: 'not_found',
    reason: 'missing_table',
    pattern:
      /(?:relation|table|column) ["'`\w.]{1,60} does(?: not|n't) exist|no such (?:table|column)|unknown (?:table|column)\b/i,
  },
  {
    class: 'not_found',
    reason: 'missing_method',
    pattern: /\bmethod not found\b|\bUNIMPLEMENTED\b|-32601\b|unknown method/i,
  },
  {
    class: 'invalid_arguments',
    pattern:
      /ValidationError|validation errors?\b|unexpected (?:keyword )?argument|missing (?:\d+ )?required|required (?:positional )?(?:argument|parameter|property|field)|invalid (?:argument|parameter|input|value|json|schema|type|format|date|url)|does not (?:match|add up)|must be (?:a|an|one of)|has to begin|should be a|bad request|unprocessable|malformed|cannot parse|could not parse|unconverted data|not a valid|unknown (?:argument|parameter)|\b(?:params|parameters|arguments) (?:are|were) /i,
  },
  {
    class: 'not_found',
    pattern:
      /not found|no such|does(?: not|n't) exist|\bLookupError\b|no (?:\w+ ){0,3}found|no \w+ with this (?:id|number|name)|\bENOENT\b|\bErrno 2\]|\bWinError [23]\]|unknown (?!error|exception|failure|problem|reason|cause)\w+|could not find|cannot find/i,
  },
];
