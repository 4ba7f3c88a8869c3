import type { RedactionKind } from './kinds.ts';

/**
 * Tokens with a form that their issuers define. `starts`: the literal prefixes; `shape`: the whole token, which begins with
 * one of them. Sources: the issuers' documentation, and the formats in gitleaks and secretlint.
 */
export interface KeyShape {
  issuer: string;
  starts: readonly string[];
  shape: string;
  kind?: RedactionKind;
}

const row = (issuer: string, starts: string, shape: string, kind?: RedactionKind): KeyShape => ({
  issuer,
  starts: starts.split(' '),
  shape,
  ...(kind === undefined ? {} : { kind }),
});

export const KEY_TABLE: readonly KeyShape[] = [
  row('JWT', 'eyJ', 'eyJ[A-Za-z0-9_-]{8,2048}\\.[A-Za-z0-9_-]{8,}(?:\\.[A-Za-z0-9_-]{1,4096}){0,3}', 'jwt'),
  row('JWE with a shared key', 'eyJ', 'eyJ[A-Za-z0-9_-]{8,2048}\\.\\.[A-Za-z0-9_-]{8,}\\.[A-Za-z0-9_.-]{8,}', 'jwt'),
  // Models and their tools.
  row('OpenAI, Anthropic, OpenRouter, DeepSeek, Langfuse', 'sk-', 'sk-[A-Za-z0-9_-]{16,}'),
  row('Groq', 'gsk_', 'gsk_[A-Za-z0-9]{30,}'),
  row('xAI', 'xai-', 'xai-[A-Za-z0-9]{30,}'),
  row('Perplexity', 'pplx-', 'pplx-[A-Za-z0-9]{30,}'),
  row('Cerebras', 'csk-', 'csk-[a-z0-9]{40,}'),
  row('NVIDIA', 'nvapi-', 'nvapi-[A-Za-z0-9_-]{40,}'),
  row('Replicate', 'r8_', 'r8_[A-Za-z0-9]{30,}'),
  row('Fireworks', 'fw_', 'fw_[A-Za-z0-9]{22,}'),
  row('Together', 'tgp_v1_', 'tgp_v1_[A-Za-z0-9_-]{40,}'),
  row('Jina', 'jina_', 'jina_[A-Za-z0-9_-]{40,}'),
  row('Pinecone', 'pcsk_', 'pcsk_[A-Za-z0-9_]{40,}'),
  row('Tavily', 'tvly-', 'tvly-[A-Za-z0-9_-]{20,}'),
  row('Firecrawl', 'fc-', 'fc-[a-f0-9]{32}(?![A-Za-z0-9])'),
  row('Brave Search', 'BSA', 'BSA[A-Za-z0-9_-]{28}(?![A-Za-z0-9_-])'),
  row('E2B', 'e2b_', 'e2b_[a-f0-9]{40}'),
  row('ElevenLabs', 'sk_', 'sk_[a-f0-9]{48}(?![A-Za-z0-9])'),
  row('LangSmith', 'lsv2_', 'lsv2_[A-Za-z0-9_]{30,}'),
  row('Hugging Face', 'hf_ api_org_', '(?:hf|api_org)_[A-Za-z0-9]{30,}'),
  // Clouds.
  row('AWS', 'AKIA ASIA ABIA ACCA', 'A(?:[KS]I|BI|CC)A[A-Z0-9]{16}(?![A-Za-z0-9])'),
  row('AWS Bedrock', 'ABSK bedrock-api-key-', '(?:ABSK|bedrock-api-key-)[A-Za-z0-9+/]{60,}={0,2}'),
  row('Google', 'AIza', 'AIza[A-Za-z0-9_-]{30,}'),
  row('Google OAuth', 'ya29. GOCSPX-', '(?:ya29\\.|GOCSPX-)[A-Za-z0-9_-]{20,}'),
  row('Alibaba', 'LTAI', 'LTAI[A-Za-z0-9]{16,20}(?![A-Za-z0-9])'),
  row('DigitalOcean', 'dop_v1_ doo_v1_ dor_v1_', 'do[opr]_v1_[a-f0-9]{40,}'),
  row('Yandex', 'AQVN YC', '(?:AQVN[A-Za-z0-9_-]{35,38}|YC[A-Za-z0-9_-]{38})(?![A-Za-z0-9_-])'),
  row('Heroku', 'HRKU-', 'HRKU-[A-Za-z0-9_-]{30,}'),
  row('Cloudflare', 'cfk_ cfut_ cfat_ v1.0-', '(?:cf(?:k|ut|at)_[A-Za-z0-9]{40,}|v1\\.0-[a-f0-9]{24}-[a-f0-9]{100,})'),
  row('Fly.io', 'fo1_ fm1r_ fm1a_ fm2_', 'f(?:o1|m1r|m1a|m2)_[A-Za-z0-9_+/-]{40,}={0,3}'),
  row('Scalingo', 'tk-us-', 'tk-us-[A-Za-z0-9_-]{48}'),
  row('Tailscale', 'tskey-', 'tskey-[a-z]{2,12}-[A-Za-z0-9]{8,}-[A-Za-z0-9]{8,}'),
  row('Netlify', 'nfp_', 'nfp_[A-Za-z0-9]{36,}'),
  row('Render', 'rnd_', 'rnd_[A-Za-z0-9]{26,}'),
  row('Vercel', 'vcp_ vci_ vca_ vck_', 'vc[piak]_[A-Za-z0-9]{24,}'),
  row('Supabase', 'sbp_ sb_secret_', '(?:sbp_[a-f0-9]{40}|sb_secret_[A-Za-z0-9_-]{30,})'),
  row('Neon', 'napi_', 'napi_[a-z0-9]{40,}'),
  row('PlanetScale', 'pscale_', 'pscale_(?:pw|tkn|oauth)_[A-Za-z0-9_.=-]{32,64}'),
  row('MongoDB Atlas', 'mdb_sa_sk_', 'mdb_sa_sk_[A-Za-z0-9_-]{40}'),
  row('Databricks', 'dapi', 'dapi[a-f0-9]{32}(?:-\\d)?(?![A-Za-z0-9])'),
  row('HashiCorp Vault', 'hvs. hvb. hvr.', 'hv[sbr]\\.[A-Za-z0-9_-]{20,}'),
  row('HashiCorp Vault before 1.10', 's.', 's\\.[A-Za-z0-9]{24}(?![A-Za-z0-9_.-])'),
  row('Pulumi', 'pul-', 'pul-[a-f0-9]{40}'),
  row('Doppler', 'dp.', 'dp\\.(?:pt|st|sa|ct|scim|audit)\\.(?:[a-z0-9_-]{2,35}\\.)?[A-Za-z0-9]{40,44}'),
  row(
    'Infisical, Prefect, Harness',
    'pnu_ pat. sat.',
    '(?:pnu_[a-z0-9]{36}|[ps]at\\.[A-Za-z0-9_-]{22}\\.[a-f0-9]{24}\\.[A-Za-z0-9]{20})',
  ),
  row(
    '1Password',
    'A3- ops_eyJ',
    '(?:A3-[A-Z0-9]{6}-[A-Z0-9]{5,6}(?:-[A-Z0-9]{5,6}){3,4}|ops_eyJ[A-Za-z0-9+/_-]{100,}={0,3})',
  ),
  row('age', 'AGE-SECRET-KEY-1', 'AGE-SECRET-KEY-1[A-Z0-9]{58}(?![A-Z0-9])', 'private_key'),
  row('Dynatrace', 'dt0', 'dt0[a-z]01\\.[A-Z0-9]{24}\\.[A-Z0-9]{64}'),
  row('Grafana', 'glc_ glsa_', '(?:glc_[A-Za-z0-9+/]{32,}={0,3}|glsa_[A-Za-z0-9]{32}_[A-Fa-f0-9]{8})'),
  row('New Relic', 'NRAK- NRII- NRJS- NRIQ- NRRA-', 'NR(?:AK|II|JS|IQ|RA)-[A-Za-z0-9_-]{19,}'),
  row('Sentry', 'sntrys_ sntryu_', 'sntry[su]_[A-Za-z0-9+/=_-]{60,}'),
  row('PostHog', 'phx_', 'phx_[A-Za-z0-9_-]{40,}'),
  row('Sonar', 'squ_ sqp_ sqa_', 'sq[upa]_[a-f0-9]{40}'),
  row('Snyk', 'snyk_', 'snyk_(?:uat|sat|pat)\\.[A-Za-z0-9_.-]{30,}'),
  // Code, packages and builds.
  row('GitHub', 'ghp_ gho_ ghu_ ghs_ ghr_', 'gh[opsur]_[A-Za-z0-9]{30,}'),
  row('GitHub', 'github_pat_', 'github_pat_[A-Za-z0-9_]{30,}'),
  row(
    'GitLab',
    'glpat- gldt- glrt- glrtr- glcbt- glptt- glft- glimt- glagent- gloas- glsoat- glffct- glwt-',
    'gl(?:pat|dt|rtr?|cbt|ptt|ft|imt|agent|oas|soat|ffct|wt)-[A-Za-z0-9_-]{16,}(?:\\.[a-z0-9]{2,4}\\.?[a-z0-9]{7,9})?',
  ),
  row('GitLab runner registration', 'GR1348941', 'GR1348941[A-Za-z0-9_-]{20,}'),
  row('Atlassian', 'ATATT3 ATCTT3 ATBB', 'AT(?:[AC]TT3|BB)[A-Za-z0-9_=-]{28,}'),
  row('npm', 'npm_', 'npm_[A-Za-z0-9]{30,}'),
  row('PyPI', 'pypi-AgE', 'pypi-AgE[A-Za-z0-9_-]{50,}'),
  row('crates.io', 'cio', 'cio[A-Za-z0-9]{32}(?![A-Za-z0-9_.-])'),
  row('RubyGems', 'rubygems_', 'rubygems_[a-f0-9]{48}'),
  row('NuGet', 'oy2', 'oy2[a-z0-9]{43}(?![A-Za-z0-9])'),
  row('Clojars', 'CLOJARS_', 'CLOJARS_[A-Za-z0-9]{60}'),
  row('Docker Hub', 'dckr_pat_ dckr_oat_', 'dckr_[po]at_[A-Za-z0-9_-]{20,}'),
  row('Artifactory', 'AKCp cmVmdGtu', '(?:AKCp[A-Za-z0-9]{69,}|cmVmdGtu[A-Za-z0-9]{50,})'),
  row('Buildkite', 'bkua_', 'bkua_[a-z0-9]{40}'),
  row('Postman', 'PMAK-', 'PMAK-[a-f0-9]{24}-[a-f0-9]{34}'),
  row('Linear', 'lin_api_ lin_oauth_', 'lin_(?:api|oauth)_[A-Za-z0-9]{32,}'),
  row('Notion', 'ntn_ secret_', '(?:ntn_[A-Za-z0-9]{40,}|secret_[A-Za-z0-9]{43}(?![A-Za-z0-9]))'),
  row('Figma', 'figd_ figo_', 'fig[do]_[A-Za-z0-9_-]{30,}'),
  row('Airtable', 'pat', 'pat[A-Za-z0-9]{14}\\.[a-f0-9]{64}'),
  row('Contentful', 'CFPAT-', 'CFPAT-[A-Za-z0-9_-]{43}'),
  row('ReadMe', 'rdme_', 'rdme_[a-z0-9]{70}'),
  row('Typeform', 'tfp_', 'tfp_[A-Za-z0-9_.=-]{40,}'),
  row('Dropbox', 'sl.', 'sl\\.[A-Za-z0-9_-]{120,}'),
  row('Octopus Deploy', 'API-', 'API-[A-Z0-9]{26}(?![A-Za-z0-9])'),
  row('OpenShift', 'sha256~', 'sha256~[A-Za-z0-9_-]{43}'),
  row('Adobe', 'p8e-', 'p8e-[a-z0-9]{32}'),
  row('Infracost', 'ico-', 'ico-[A-Za-z0-9]{32}(?![A-Za-z0-9])'),
  // Messages, mail and payment.
  row(
    'Slack',
    'xoxa- xoxb- xoxe- xoxe. xoxo- xoxp- xoxr- xoxs- xoxc- xoxd-',
    'xox(?:[abceoprsd]-|e\\.)[A-Za-z0-9%.-]{10,}',
  ),
  row('Slack', 'xapp-', 'xapp-[A-Za-z0-9-]{20,}'),
  row('Discord bot', 'M N O', '[MNO][A-Za-z0-9]{23,27}\\.[A-Za-z0-9_-]{6}\\.[A-Za-z0-9_-]{27,40}(?![A-Za-z0-9_-])'),
  row('SendGrid', 'SG.', 'SG\\.[A-Za-z0-9_-]{16,}\\.[A-Za-z0-9_-]{16,}'),
  row('Mailgun', 'key- pubkey-', '(?:pub)?key-[a-f0-9]{32}(?![A-Za-z0-9])'),
  row('Brevo', 'xkeysib- xsmtpsib-', 'x(?:key|smtp)sib-[a-f0-9]{64}-[A-Za-z0-9]{16}'),
  row('Twilio', 'SK', 'SK[a-f0-9]{32}(?![A-Za-z0-9])'),
  row('Stripe', 'sk_live_ sk_test_ rk_live_ rk_test_ sk_prod_ rk_prod_', '[sr]k_(?:live|test|prod)_[A-Za-z0-9]{16,}'),
  row('Stripe, Standard Webhooks', 'whsec_', 'whsec_[A-Za-z0-9+/=]{20,}'),
  row(
    'Square',
    'sq0atp- sq0csp- EAAA',
    '(?:sq0(?:atp|csp)-[A-Za-z0-9_-]{22,43}|EAAA[A-Za-z0-9_-]{60}(?![A-Za-z0-9_-]))',
  ),
  row('Facebook', 'EAA', 'EAA[A-Za-z0-9]{80,}'),
  row('Shopify', 'shpat_ shpca_ shppa_ shpss_', 'shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}'),
  row('Shippo', 'shippo_', 'shippo_(?:live|test)_[a-f0-9]{40}'),
  row('EasyPost', 'EZAK EZTK', 'EZ[AT]K[A-Za-z0-9]{54}'),
  row('Duffel', 'duffel_', 'duffel_(?:live|test)_[A-Za-z0-9_=-]{40,}'),
  row('Flutterwave', 'FLWSECK', 'FLWSECK(?:_TEST)?-[A-Za-z0-9]{12,32}(?:-X)?'),
  row('HubSpot', 'pat-na1- pat-eu1- pat-na2-', 'pat-(?:na|eu)\\d-[a-f0-9]{8}-[a-f0-9-]{27}'),
  row('Plaid', 'access-', 'access-(?:sandbox|development|production)-[a-f0-9]{8}-[a-f0-9-]{27}'),
  row('Mapbox', 'sk.eyJ', 'sk\\.eyJ[A-Za-z0-9_-]{40,}\\.[A-Za-z0-9_-]{16,}'),
  row('Twitter', 'AAAAAAAAAAAAAAAAAAAAA', 'A{21}(?:[A-Za-z0-9+/=]|%2[BF]|%3D){60,}'),
  row('Misstep', 'mst_', 'mst_[A-Za-z0-9_-]{20,}'),
];

/**
 * At the start of a word, also after a line break that JSON within text writes as `
 * `.
 */
export const WORD_START = '(?<=^|[^A-Za-z0-9]|\\\\[nrt])';

/** Tokens that are identified by text within or after them. */
export const TAIL_SHAPES: readonly string[] = [
  '[A-Za-z0-9]{14}\\.atlasv1\\.[A-Za-z0-9_=-]{60,70}', // Terraform Cloud
  '[a-f0-9]{32}-(?:us\\d{1,2}|[a-f0-9]{8}-[a-f0-9]{8})(?![A-Za-z0-9-])', // Mailchimp, Mailgun
  '[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk(?![A-Za-z0-9])', // MaxMind
  '[A-Za-z0-9]{52}JQQJ99[A-Za-z0-9]{26}(?![A-Za-z0-9])', // Azure
  '[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}(?![A-Za-z0-9])', // Azure DevOps
  '[A-Za-z0-9_~.-]{3}\\dQ~[A-Za-z0-9_~.-]{31,34}(?![A-Za-z0-9_~.-])', // Azure client secret
  '\\d{6,12}:AA[A-Za-z0-9_-]{30,40}(?![A-Za-z0-9_-])', // Telegram
];
